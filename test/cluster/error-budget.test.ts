import { expect, it } from 'vitest'
import { openLimits, useGateway } from '../support/gateway/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'
import { describeStores } from './stores.ts'
import { waitForWorkers } from './workers.ts'

const count = 4
const hello = { model: 'test/model', messages: [{ role: 'user', content: 'Hi' }] }
/** Each on a connection of its own, so that every worker gets some. */
const calls = 300

describeStores('four workers count failures together', store => {
  const gateway = useGateway(async () => ({
    words: ['--workers', String(count)],
    settings: { limits: { ...openLimits, errorBudget: { failed: 50, unsupported: 200, windowSeconds: 3_600 } } },
    ...(await store.open()),
  }))

  it('exactly fifty of three hundred at once are answered as what they are', { timeout: 120_000 }, async () => {
    await waitForWorkers(gateway, count)
    const call = adminClient(gateway, 'main')
    const ask = (change: object) => call('POST', '/chat/completions', { body: { ...hello, ...change } })
    const answers = await Promise.all(Array.from({ length: calls }, () => ask({ temperature: 9 })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 400)).toHaveLength(50)
    expect(statuses.filter(status => status === 429)).toHaveLength(calls - 50)
    const left = answers
      .filter(({ status }) => status === 400)
      .map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(left.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index))
    // None of the processes lets a sound request of the bucket pass, and all let others pass.
    const sound = await Promise.all(Array.from({ length: 16 }, () => ask({})))
    expect(new Set(sound.map(({ status }) => status))).toEqual(new Set([429]))
    const others = await Promise.all(Array.from({ length: 16 }, () => ask({ user: 'else' })))
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
  })
})
