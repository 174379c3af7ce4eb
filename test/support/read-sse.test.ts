import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answer, fastStream, hang, type MockEngine, reset, startMockEngine, status } from './mock-engine/index.ts'
import { jsonEvents, openSse, readSse } from './read-sse.ts'
import { waitFor } from './wait-for.ts'

let engine: MockEngine

beforeEach(async () => {
  engine = await startMockEngine()
})
afterEach(() => engine.close())

const ask = () => ({ url: `${engine.url}/chat/completions`, body: { stream: true } })

test('readSse collects events with their times, and the raw bytes', async () => {
  engine.always(answer({ text: ['a', 'b'], everyMs: 30 }))
  const before = performance.now()
  const reading = await readSse(ask())
  expect(reading).toMatchObject({ status: 200, end: 'complete', doneCount: 1, violations: [] })
  expect(jsonEvents(reading)).toHaveLength(4)
  const [, first, second] = reading.events
  expect((first?.at ?? 0) - before).toBeGreaterThanOrEqual(28)
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(20)
  expect(reading.text.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('readSse reads answers that are not SSE as text', async () => {
  engine.always(status(429))
  const reading = await readSse(ask())
  expect(reading.status).toBe(429)
  expect(JSON.parse(reading.text).error.message).toBe('mock engine says 429')
})

test('a broken connection is told from a complete body', async () => {
  engine.always(reset({ chunks: 1 }))
  expect((await readSse(ask())).end).toBe('broken')
})

test('abort closes the connection at once', async () => {
  engine.always(hang({ chunks: 2 }))
  const reading = await openSse(ask())
  await reading.receive(3)
  reading.abort()
  expect(await reading.ended).toBe('aborted')
  await waitFor('the engine to notice', () => engine.requests[0]?.closedByPeerAt)
  await expect(reading.receive(4)).rejects.toThrow('the body ended after 3 of 4 events')
})

test('withinMs bounds a silent stream and a silent server', async () => {
  engine.next(hang({ chunks: 1 }), hang('before-headers'))
  expect((await readSse({ ...ask(), withinMs: 100 })).end).toBe('timed-out')
  await expect(readSse({ ...ask(), withinMs: 100 })).rejects.toThrow('no end within 100 ms')
})

test('a paused reader makes the server wait', async () => {
  engine.always(fastStream())
  const reading = await openSse(ask())
  reading.pause()
  await setTimeout(200)
  const paused = engine.requests[0]?.bytesWritten ?? 0
  await setTimeout(100)
  expect(engine.requests[0]?.bytesWritten).toBe(paused)
  reading.abort()
  await reading.ended
})
