import { afterEach, describe, expect, it } from 'vitest'
import { chunksOf, expectError, findViolations, Gateway, streamedText } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { openRaw, rawRequest } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

let gateway: Gateway

afterEach(async () => {
  try {
    expect(await findViolations(gateway)).toEqual([])
  } finally {
    await gateway.close()
  }
})

describe('SIGTERM', () => {
  it('lets streams run to their end, turns new requests away, settles all, and ends with 0', async () => {
    gateway = await Gateway.start()
    gateway.engine().always(answer({ chunks: 40, everyMs: 50 }))
    const readings = await Promise.all(Array.from({ length: 10 }, () => gateway.client.openStream()))
    const whole = gateway.client.chat()
    await Promise.all(readings.map(reading => reading.receive(3)))
    const kept = await openRaw(gateway.port)
    await kept.send(rawRequest('/health/live', { method: 'GET' }))
    expect((await kept.response()).status).toBe(200)

    gateway.process.signal('SIGTERM')
    await waitFor('the drain', () => gateway.process.output.includes('drain.started'))
    const refused = await gateway.client.chat()
    expectError(refused, { status: 503, code: 'draining' })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    await kept.send(rawRequest('/v1/models', { method: 'GET' }))
    expect((await kept.response(2)).status).toBe(503)
    expect((await gateway.client.send('/health/ready', { key: null })).status).toBe(503)
    expect((await gateway.client.send('/health/live', { key: null })).status).toBe(200)

    for (const reading of readings) {
      expect(await reading.ended).toBe('complete')
      expect(streamedText(reading).split(' ')).toHaveLength(40)
      expect(chunksOf(reading).at(-1)?.usage?.completion_tokens).toBe(40)
    }
    expect((await whole).status).toBe(200)
    expect(await gateway.process.exited).toEqual({ code: 0, signal: null })
    expect(gateway.engine().requests).toHaveLength(11)
    kept.destroy()
  })

  it('with nothing to do ends at once', async () => {
    gateway = await Gateway.start()
    await gateway.client.chat()
    const before = performance.now()
    gateway.process.signal('SIGTERM')
    expect(await gateway.process.exited).toEqual({ code: 0, signal: null })
    expect(performance.now() - before).toBeLessThan(5_000)
  })

  it('does not wait for callers who only keep a connection open', async () => {
    gateway = await Gateway.start()
    const idle = await openRaw(gateway.port)
    await idle.send(rawRequest('/v1/models', { method: 'GET' }))
    await idle.response()
    const before = performance.now()
    gateway.process.signal('SIGTERM')
    expect(await gateway.process.exited).toEqual({ code: 0, signal: null })
    expect(performance.now() - before).toBeLessThan(5_000)
    idle.destroy()
  })
})

describe('SIGINT', () => {
  it('is a drain too', async () => {
    gateway = await Gateway.start()
    gateway.engine().always(answer({ chunks: 10, everyMs: 50 }))
    const reading = await gateway.client.openStream()
    gateway.process.signal('SIGINT')
    expect(await reading.ended).toBe('complete')
    expect(chunksOf(reading).at(-1)?.usage?.completion_tokens).toBe(10)
    expect(await gateway.process.exited).toEqual({ code: 0, signal: null })
  })
})

/** The wait of a drain is two minutes, which is more than an ordinary run has. */
if (process.env['RIALTO_TEST_LONG'] === '1')
  describe('a drain with somebody who does not go', () => {
    it('does not wait for a connection on which nothing ever came', { timeout: 60_000 }, async () => {
      gateway = await Gateway.start()
      const silent = await openRaw(gateway.port)
      const before = performance.now()
      gateway.process.signal('SIGTERM')
      expect(await gateway.process.exited).toEqual({ code: 0, signal: null })
      expect(performance.now() - before).toBeLessThan(15_000)
      silent.destroy()
    })

    it('cuts what still runs with an error in the stream, free of charge', { timeout: 200_000 }, async () => {
      const timeouts = { firstByteMs: 60_000, idleMs: 60_000, totalMs: 400_000, streamTotalMs: 400_000 }
      gateway = await Gateway.start({ engines: { main: { timeouts } } })
      gateway.engine().always(answer({ chunks: 100_000, everyMs: 200 }))
      const reading = await gateway.client.openStream({ max_tokens: 1_000 }, { withinMs: 190_000 })
      gateway.process.signal('SIGTERM')
      expect(await reading.ended).toBe('complete')
      expect(chunksOf(reading).at(-1)?.error?.code).toBe('draining')
      expect(await gateway.process.exited).toEqual({ code: 0, signal: null })
      await gateway.serve()
      const generation = await gateway.client.generation(String(reading.headers['x-generation-id']))
      expect(generation).toMatchObject({ outcome: 'drained', total_cost: 0 })
    })
  })
