import { describe, expect, it } from 'vitest'
import { openLimits, useGateway } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'

/** A finished answer for which the engine reports no output (venice.md §2.1, money.md §3). */

const allowance = 2
const account = { credit: 1, mode: 'strict' } as const
const gateway = useGateway({
  models: { 'demo/one': { name: 'Demo One' } },
  accounts: { whole: account, streamed: account, often: account, other: account },
  settings: { limits: { ...openLimits, freeFailuresPerHour: allowance } },
})
const call = adminClient(gateway, 'whole')
const body = { model: 'demo/one', max_tokens: 20, messages: [{ role: 'user', content: 'Say something.' }] }
const spent = async (name: string) => (await gateway.client.credits(gateway.account(name).key)).usedNano

async function askForNothing(name: string, stream = false): Promise<string> {
  gateway.engine().next(answer({ text: [] }))
  const { key } = gateway.account(name)
  const { status, text } = await call('POST', '/chat/completions', { key, body: { ...body, stream } })
  expect(status).toBe(200)
  return text
}

describe('an answer without output tokens', () => {
  it.each([
    ['whole', false],
    ['streamed', true],
  ])('costs nothing on the strict surface, %s', async (name, stream) => {
    const text = await askForNothing(name, stream)
    expect(text).toContain('"cost":{"usd":0,"diem":0}')
    expect(text).toContain('"completion_tokens":0')
    expect(await spent(name)).toBe(0n)
  })

  it('costs its prompt once the allowance of free failures is used up', async () => {
    for (let count = 0; count < allowance; count += 1) await askForNothing('often')
    expect(await spent('often')).toBe(0n)
    expect(await askForNothing('often')).not.toContain('"cost":{"usd":0,')
    expect(await spent('often')).toBeGreaterThan(0n)
  })

  it('costs its usage on /v1', async () => {
    gateway.engine().next(answer({ text: [] }))
    const { key } = gateway.account('other')
    expect((await gateway.client.chat({ model: 'demo/one' }, { key })).status).toBe(200)
    expect(await spent('other')).toBeGreaterThan(0n)
  })
})
