import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange } from '../support/gateway/http-exchange.ts'
import { Gateway, type HttpAnswer } from '../support/gateway/index.ts'
import { stretched } from '../support/lapse.ts'
import { isMissing } from '../support/missing.ts'
import { answer } from '../support/mock-engine/index.ts'
import { openSse, type SseReading } from '../support/read-sse.ts'
import { waitFor } from '../support/wait-for.ts'
import { HaproxyProcess } from './haproxy-process.ts'
import { succeeds } from './run-checker.ts'

const hasHaproxy = succeeds('haproxy', ['-v'])
const startMs = 60_000
const slow = answer({ chunks: 25, everyMs: 100 })

/** The tests are one story, in their order: one of two gateways is replaced, then the other. */
describe.skipIf(isMissing(hasHaproxy, 'HAProxy is not installed'))('the proxy of compose.yaml', () => {
  let staying: Gateway
  let leaving: Gateway
  let proxy: HaproxyProcess
  let running: SseReading

  beforeAll(async () => {
    const gateways = await Promise.all([Gateway.start(), Gateway.start()])
    ;[staying, leaving] = gateways
    proxy = await HaproxyProcess.start(gateways.map(({ port }) => port))
  }, startMs)
  afterAll(async () => {
    await proxy?.close()
    await Promise.all([staying?.close(), leaving?.close()])
  }, startMs)

  test('shares requests out', async () => {
    const models = await Promise.all(Array.from({ length: 20 }, () => exchange(`${proxy.url}/v1/models`)))
    expect(new Set(models.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('keeps the metrics inside', async () => {
    expect((await exchange(`${proxy.url}/metrics`)).status).toBe(403)
  })

  test('passes each event on while the answer still grows', async () => {
    leaving.engine().always(slow)
    running = await waitFor('a stream from the gateway that will leave', () => streamOf(leaving))
    await running.receive(3)
    expect(running.endedAt).toBeUndefined()
  })

  test('sends no request to its refusal while a gateway drains', async () => {
    await occupy(staying, 2)
    leaving.process.signal('SIGTERM')
    const answers: HttpAnswer[] = []
    while (leaving.process.exit === undefined && answers.length < 30) answers.push(await chatWith(staying))
    // Until it hears the signal it serves, and says of the other one's key that it does not know it.
    const served = answers.findIndex(({ status }) => status !== 401)
    const since = answers.slice(served)
    expect(since.length).toBeGreaterThan(2)
    expect(since.flatMap(({ status, text }) => (status === 200 ? [] : text))).toEqual([])
  })

  test('leaves the streams of a gateway that drains alone', async () => {
    expect(await running.ended).toBe('complete')
    expect(running).toMatchObject({ doneCount: 1, violations: [] })
    expect(await leaving.process.exited).toMatchObject({ code: 0 })
  })

  test('lets the engine know that a caller has left who still waited for an answer', async () => {
    staying.engine().always(slow)
    const asked = staying.engine().requests.length
    const caller = new AbortController()
    const given = chatWith(staying, caller.signal).catch(() => 'left')
    const request = await waitFor('the request to reach the engine', () => staying.engine().requests[asked])
    caller.abort()
    expect(await given).toBe('left')
    await waitFor('the engine’s connection to close', () => request.closedByPeerAt, { withinMs: stretched(2_000) })
  })

  test('says in the shape of every other error that no gateway is ready', async () => {
    await staying.process.stop()
    const refused = await waitFor('the proxy to know', async () => {
      const answered = await chatWith(staying)
      return answered.status === 503 && answered
    })
    expect(refused.headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '5' })
    expect(JSON.parse(refused.text)).toEqual({
      error: { message: expect.any(String), type: 'server_error', code: 'no_capacity', param: null },
    })
  })

  /** Streams that make the proxy prefer the other gateway. */
  async function occupy(gateway: Gateway, count: number): Promise<void> {
    gateway.engine().next(...Array(count).fill(slow))
    for (let open = 0; open < count; open += 1) await waitFor('a stream', () => streamOf(gateway))
  }

  function chatWith(gateway: Gateway, signal = new AbortController().signal): Promise<HttpAnswer> {
    return exchange(`${proxy.url}/v1/chat/completions`, { method: 'POST', signal, ...callOf(gateway, false) })
  }

  /** False when the request went to the other gateway, which does not know the key. */
  async function streamOf(gateway: Gateway): Promise<SseReading | false> {
    const { headers, body } = callOf(gateway, true)
    const reading = await openSse({ url: `${proxy.url}/v1/chat/completions`, headers, body })
    return reading.status === 200 && reading
  }
})

function callOf(gateway: Gateway, stream: boolean) {
  return {
    headers: { authorization: `Bearer ${gateway.account().key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'test/model', stream, messages: [{ role: 'user', content: 'Hello.' }] }),
  }
}
