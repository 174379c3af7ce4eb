import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { StreamReading } from '../support/gateway/gateway-client.ts'
import { chunksOf, expectError, type HttpAnswer, useGateway } from '../support/gateway/index.ts'
import { answer, delayed, rateLimited, status } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = useGateway({
  engines: { left: {}, right: {}, third: {}, fourth: {}, narrow: { maxConcurrency: 2 } },
  models: {
    'test/pair': { weights: { left: 1, right: 1 } },
    'test/four': { weights: { left: 1, right: 1, third: 1, fourth: 1 } },
    'test/narrow': { engines: ['narrow'] },
  },
})

const loadMs = 2_500
const callers = 16

interface Load {
  readonly wholes: HttpAnswer[]
  readonly streams: StreamReading[]
}

/** Callers who ask again and again, for whole answers and for streams. */
async function load(): Promise<Load> {
  const seen: Load = { wholes: [], streams: [] }
  const endsAt = performance.now() + loadMs
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() < endsAt) {
        if (caller % 2 === 0) seen.wholes.push(await gateway.client.chat({ model: 'test/pair' }))
        else seen.streams.push(await gateway.client.stream({ model: 'test/pair' }))
      }
    }),
  )
  return seen
}

describe('one of two nodes that dies under load', () => {
  it('costs no caller an error, except on the streams that it was answering', { timeout: 60_000 }, async () => {
    const [left, right] = [gateway.engine('left'), gateway.engine('right')]
    for (const engine of [left, right]) engine.always(answer({ chunks: 6, everyMs: 15 }))
    const loading = load()
    await sleep(600)
    const begun = left.requests.filter(
      ({ ending, body, chunksWritten }) => ending === undefined && body?.['stream'] === true && chunksWritten > 0,
    ).length
    left.crash()
    await sleep(900)
    await left.refuse(false)
    const { wholes, streams } = await loading
    expect(wholes.filter(({ status: seen }) => seen !== 200).map(({ text }) => text)).toEqual([])
    expect(streams.filter(({ status: seen }) => seen !== 200).map(({ text }) => text)).toEqual([])
    const broken = streams.filter(stream => chunksOf(stream).at(-1)?.error !== undefined)
    expect(broken.length).toBeLessThanOrEqual(begun + callers / 2)
    expect(wholes.length + streams.length).toBeGreaterThan(callers * 3)
  })

  it('is asked again when it is back', { timeout: 60_000 }, async () => {
    const left = gateway.engine('left')
    await waitFor(
      'the node to be used again',
      async () => {
        await gateway.client.chat({ model: 'test/pair' })
        return left.requests.length > 0
      },
      { withinMs: 45_000, everyMs: 20 },
    )
  })
})

describe('a request that no node answers', () => {
  it('is tried on three nodes and no more', async () => {
    for (const name of ['left', 'right', 'third', 'fourth']) gateway.engine(name).always(status(503))
    const answered = await gateway.client.chat({ model: 'test/four' })
    expectError(answered, { status: 502, code: 'upstream_error' })
    const asked = [...gateway.engines.values()].reduce((sum, engine) => sum + engine.requests.length, 0)
    expect(asked).toBe(3)
    const generation = await gateway.client.generation(String(answered.headers['x-generation-id']))
    expect(generation?.attempts.map(attempt => attempt.status)).toEqual([503, 503, 503])
  })

  it('is told the shortest wait when every node is overloaded', async () => {
    gateway.engine('left').always(rateLimited('seconds'))
    gateway.engine('right').always(rateLimited('huge'))
    const answered = await gateway.client.chat({ model: 'test/pair' })
    expectError(answered, { status: 429, code: 'engine_overloaded' })
    expect(answered.headers['retry-after']).toBe('7')
  })
})

describe('a node that takes two requests at a time', () => {
  it('never gets a third; the others wait their turn', async () => {
    const engine = gateway.engine('narrow')
    let most = 0
    engine.script(() => {
      most = Math.max(most, engine.requests.filter(({ ending }) => ending === undefined).length)
      return delayed(60, answer())
    })
    const answers = await Promise.all(Array.from({ length: 12 }, () => gateway.client.chat({ model: 'test/narrow' })))
    for (const { status: seen } of answers) expect(seen).toBe(200)
    expect(most).toBe(2)
  })
})
