import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { answer, fastStream } from '../support/mock-engine/index.ts'
import { openRaw, rawRequest } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

// Beyond the 30 s after which a caller who takes nothing is cut.
const timeouts = { connectMs: 5_000, firstByteMs: 50_000, idleMs: 50_000, totalMs: 50_000, streamTotalMs: 50_000 }

const gateway = useGateway({
  engines: { main: { timeouts } },
  models: { 'test/model': { maxOutputTokens: 200_000, contextTokens: 400_000 } },
})

const path = '/v1/chat/completions'
const mebibyte = 1_048_576
const wideWord = `${'x'.repeat(120)} `

/** Memory of the gateway's process that is in use now. */
async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${gateway.process.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
}

function chatRequest(extra: object = {}): Buffer {
  return rawRequest(path, {
    headers: { Authorization: `Bearer ${gateway.account().key}` },
    body: { model: 'test/model', messages: [{ role: 'user', content: 'hi' }], stream: true, ...extra },
  })
}

describe('a caller who reads slowly', () => {
  it('slows the engine down instead of filling the gateway, and gets everything in the end', async () => {
    const chunks = 200_000
    gateway.engine().always(answer({ text: Array.from({ length: chunks }, () => wideWord) }))
    const reading = await gateway.client.openStream({ max_tokens: chunks })
    await reading.receive(1)
    reading.pause()
    const before = await residentBytes()
    const written = () => gateway.engine().requests[0]?.bytesWritten ?? 0
    const stopped = await waitFor(
      'the engine to stop',
      async () => {
        const last = written()
        await sleep(500)
        return written() === last && last
      },
      { withinMs: 15_000 },
    )
    // What is on its way lies in the kernel's buffers of two connections, and next to nothing in the gateway.
    expect(stopped).toBeLessThan(36 * mebibyte)
    expect((await residentBytes()) - before).toBeLessThan(32 * mebibyte)
    reading.resume()
    expect(await reading.ended).toBe('complete')
    expect(reading.doneCount).toBe(1)
    expect(reading.raw.length).toBeGreaterThan(1.3 * stopped)
  })
})

describe('callers who are slow on purpose', () => {
  it('are cut: headers after 10 s, an answer that nobody takes after 30 s; others do not notice', {
    timeout: 60_000,
  }, async () => {
    gateway.engine().always(request => (request.body?.['stream'] === true ? fastStream() : answer())(request))
    const startedAt = performance.now()
    const deaf = await openRaw(gateway.port)
    await deaf.send(chatRequest())
    await waitFor('the first bytes', () => deaf.received.length > 0)
    deaf.pause()

    const slowHeaders = await Promise.all(Array.from({ length: 50 }, () => openRaw(gateway.port)))
    const sending = slowHeaders.map(connection => connection.sendSlowly(chatRequest(), { size: 1, everyMs: 400 }))

    const gaps: number[] = []
    while (performance.now() - startedAt < 8_000) {
      const before = performance.now()
      expect((await gateway.client.chat()).status).toBe(200)
      gaps.push(performance.now() - before)
      await sleep(100)
    }
    expect(Math.max(...gaps)).toBeLessThan(2_000)

    for (const connection of slowHeaders) {
      expect(await connection.closed(15_000)).toBeDefined()
      expect((connection.closedAt ?? 0) - startedAt).toBeLessThan(15_000)
      const [response] = connection.responses
      if (response !== undefined) expect(response.status).toBe(408)
    }
    await Promise.all(sending)
    expect(slowHeaders.some(({ responses }) => responses[0]?.text.includes('"code":"request_timeout"'))).toBe(true)

    const request = gateway.engine().requests.find(({ body }) => body?.['stream'] === true)
    await waitFor('the deaf caller to be cut', () => request?.closedByPeerAt, { withinMs: 40_000 })
    expect((request?.closedByPeerAt ?? 0) - startedAt).toBeGreaterThan(29_000)
    deaf.destroy()
    const id = /x-generation-id: (\S+)/i.exec(deaf.received.toString('latin1'))?.[1] ?? ''
    const generation = await waitFor('the record', () => gateway.client.generation(id))
    expect(generation).toMatchObject({ outcome: 'client_abort', usage_source: 'estimated' })
    expect(generation.total_cost).toBeGreaterThan(0)
  })
})

/** A body may take a minute, which is more than an ordinary run has. */
if (process.env['RIALTO_TEST_LONG'] === '1')
  describe('a body that takes more than a minute', () => {
    it('is cut with 408 and never reaches an engine', { timeout: 100_000 }, async () => {
      const connection = await openRaw(gateway.port)
      const bytes = chatRequest({ filler: 'x'.repeat(2_000) })
      const sending = connection.sendSlowly(bytes, { size: 10, everyMs: 800 })
      expect(await connection.closed(90_000)).toBeDefined()
      await sending
      expect(connection.responses[0]?.status).toBe(408)
      expect(gateway.engine().requests).toHaveLength(0)
    })
  })
