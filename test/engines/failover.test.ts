import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOpenAiEngine } from '../../src/adapters/engines/openai-engine.ts'
import { systemTimers } from '../../src/adapters/system/system-timers.ts'
import type { Random } from '../../src/core/random.ts'
import { createFault } from '../../src/domain/engines/create-fault.ts'
import { createEngines, type EngineRun, type Engines, EnginesFailure } from '../../src/domain/engines/engines.ts'
import type { EngineReply } from '../../src/domain/engines/types.ts'
import { parseJsonBytes } from '../../src/lib/json.ts'
import { scanObject } from '../../src/lib/json-scan.ts'
import { Secret } from '../../src/lib/secret.ts'
import { quickestMs, stretched } from '../support/lapse.ts'
import { MemoryLogger } from '../support/memory-logger.ts'
import * as mock from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { readStream } from './read-stream.ts'
import { realClock } from './real-clock.ts'
import { servedBy } from './scripted-engine.ts'

const firstOfEquals: Random = { bytes: count => Buffer.alloc(count), hex: count => '00'.repeat(count) }
const body = Buffer.from('{"model":"public/model","messages":[{"role":"user","content":"hi"}]}')

let a: mock.MockEngine
let b: mock.MockEngine
let logger: MemoryLogger
const open: Engines[] = []

beforeEach(async () => {
  ;[a, b] = [await mock.startMockEngine(), await mock.startMockEngine()]
  logger = new MemoryLogger()
})

afterEach(async () => {
  for (const engines of open.splice(0)) {
    expect(engines.views().map(({ inFlight, queued }) => inFlight + queued)).toEqual(engines.views().map(() => 0))
    await engines.close()
  }
  expect(JSON.stringify(logger.lines)).not.toMatch(/planted|127\.0\.0\.1/)
  await Promise.all([a.close(), b.close()])
})

function enginesAt(urls: Record<string, string>, random: Random = firstOfEquals, waitMs = 400): Engines {
  const waits = { connectMs: waitMs, firstByteMs: waitMs, idleMs: waitMs }
  const timeouts = { ...waits, totalMs: 540_000, streamTotalMs: 1_800_000 }
  const engines = createEngines({
    engines: Object.entries(urls).map(([id, baseUrl]) =>
      createOpenAiEngine({
        id,
        baseUrl,
        apiKey: new Secret(`planted-key-of-${id}`),
        preset: 'generic',
        maxTokensField: 'max_tokens',
        deniedKeys: [],
        xSearch: {},
        maxConcurrency: 64,
        onDisconnect: 'cancel',
        timeouts,
        userAgent: 'rialto/0.1.0',
        clock: realClock,
      }),
    ),
    clock: realClock,
    timers: systemTimers,
    random,
    logger,
  })
  open.push(engines)
  return engines
}

function bothNodes(): Engines {
  return enginesAt({ a: a.url, b: b.url })
}

/** Reads a whole answer and finds a completion in it, as the gateway does before it commits to a JSON answer. */
async function acceptJson(reply: EngineReply): Promise<string> {
  if (reply.kind !== 'bytes') throw createFault('bad_answer')
  const { bytes, ending } = await readStream(reply.body)
  if (ending !== 'end') throw ending
  try {
    const text = JSON.stringify(parseJsonBytes(bytes))
    if (!text.includes('"choices":[{') || !text.includes('"message":{')) throw new Error('no completion')
    return text
  } catch (cause) {
    throw createFault('bad_answer', { cause })
  }
}

async function ask(engines: Engines, ids: string[], signal = new AbortController().signal): Promise<EngineRun<string>> {
  const run = await engines.run({
    served: servedBy(...ids),
    publicModel: 'public/model',
    privateTexts: [],
    affinity: null,
    callFor: ({ engineModel }) => ({
      requestId: 'req_1',
      engineModel,
      stream: false,
      choices: 1,
      outputLimit: 16,
      body: { bytes: body, members: scanObject(body).members, removedKeys: new Set(), promptCacheKey: null },
      deniedKeys: new Set(),
      promptCacheKey: null,
      wishes: null,
    }),
    accept: acceptJson,
    onSent: () => undefined,
    signal,
  })
  run.done('answered', { completionTokens: 1, ms: 1 })
  return run
}

async function failureOf(run: Promise<unknown>): Promise<EnginesFailure> {
  const error = await run.then(
    () => new Error('expected a failure'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof EnginesFailure)) throw error
  return error
}

const faults: [string, mock.Behaviour, number | string, number][] = [
  ['a reset before the headers', mock.reset('before-headers'), 'reset', 502],
  ['a reset inside the headers', mock.reset('mid-headers'), 'reset', 502],
  ['a reset inside the body', mock.reset('after-finish'), 'reset', 502],
  ['a close before the headers', mock.close('before-headers'), 'reset', 502],
  ['silence', mock.hang('before-headers'), 'first_byte_timeout', 504],
  ['silence inside the body', mock.hang('after-finish'), 'idle_timeout', 504],
  ['a body that breaks off', mock.truncatedJson(), 'bad_answer', 502],
  ['a body shorter than it says', mock.wrongLength(10), 'reset', 502],
  ['a page', mock.wrongContentType.html200, 'bad_answer', 502],
  ['an error as a 200', mock.wrongJsonBodies.errorObject, 'bad_answer', 502],
  ['an empty 200', mock.wrongJsonBodies.empty, 'bad_answer', 502],
  ['a compressed body', mock.compressed(['gzip']), 'bad_answer', 502],
  ['500', mock.status(500), 500, 502],
  ['503', mock.status(503), 503, 502],
  ['529', mock.status(529), 529, 502],
  ['401', mock.status(401), 401, 502],
  ['403', mock.status(403), 403, 502],
  ['404', mock.status(404), 404, 502],
  ['a redirect', mock.redirect('http://127.0.0.1:9/v1'), 307, 502],
  ['429', mock.rateLimited('seconds'), 429, 429],
]

describe('a node that answers with', () => {
  it.each(faults)('%s is left for the next one', async (_name, behaviour, status) => {
    a.next(behaviour)
    const run = await ask(bothNodes(), ['a', 'b'])
    expect(run.attempts.map(attempt => [attempt.node, attempt.status])).toEqual([
      ['a', status],
      ['b', 200],
    ])
    expect([a.requests.length, b.requests.length]).toEqual([1, 1])
    await waitFor('no call to be open', () =>
      [...a.requests, ...b.requests].every(({ endedAt }) => endedAt !== undefined),
    )
  })

  it.each(faults)('%s and is alone costs the caller nothing but an answer', async (_name, behaviour, status, told) => {
    a.next(behaviour)
    const { error, attempts } = await failureOf(ask(bothNodes(), ['a']))
    expect([error.status, attempts.map(attempt => attempt.status)]).toEqual([told, [status]])
    expect(error.message).not.toMatch(/127\.0\.0\.1|mock|model-of|planted/)
  })

  const refusals: [number, mock.Behaviour][] = [400, 402, 413, 415, 422, 451].map(code => [code, mock.status(code)])

  it.each(refusals)('%d is not left: the caller is told', async (status, behaviour) => {
    a.next(behaviour)
    const { error } = await failureOf(ask(bothNodes(), ['a', 'b']))
    expect([error.status, error.message, b.requests.length]).toEqual([status, `mock engine says ${status}`, 0])
  })
})

describe('a node that is not there', () => {
  it('is passed over within 50 ms when it refuses', async () => {
    await a.refuse(true)
    const engines = bothNodes()
    await ask(engines, ['b'])
    const times: number[] = []
    // The quickest of three: a busy machine must not fail the test, a wait of ours must.
    for (let count = 0; count < 3; count += 1) {
      const startedAtMs = performance.now()
      const run = await ask(engines, ['a', 'b'])
      times.push(performance.now() - startedAtMs)
      expect(run.node.id).toBe('b')
    }
    expect(Math.min(...times)).toBeLessThan(50)
  })

  it('is passed over after the connect limit when it does not answer', async () => {
    const hole = await mock.startBlackHole()
    const waitedMs = await quickestMs(async () => {
      const run = await ask(enginesAt({ a: hole.url, b: b.url }), ['a', 'b'])
      expect(run.attempts.map(({ status }) => status)).toEqual(['connect_timeout', 200])
    })
    expect(waitedMs).toBeLessThan(1_000)
    await hole.close()
  })

  it('cannot get a key of ours by being somebody else', async () => {
    const server = await mock.startUntrustedServer()
    const run = await ask(enginesAt({ a: server.url, b: b.url }), ['a', 'b'])
    expect(run.attempts.map(({ status }) => status)).toEqual(['tls', 200])
    expect(server.received).toHaveLength(0)
    expect(b.requests[0]?.headers['authorization']).toBe('Bearer planted-key-of-b')
    await server.close()
  })
})

describe('429 from every node', () => {
  const waits: [keyof typeof mock.retryAfterValues, number][] = [
    ['none', 1],
    ['seconds', 7],
    ['zero', 1],
    ['negative', 1],
    ['huge', 60],
    ['beyondNumbers', 1],
    ['fractional', 2],
    ['date', 20],
    ['pastDate', 1],
    ['farDate', 60],
    ['isoDate', 1],
    ['junk', 1],
    ['empty', 1],
    ['hexadecimal', 1],
    ['infinity', 1],
    ['list', 1],
  ]

  it.each(waits)('with Retry-After %s is told as %d s', async (kind, seconds) => {
    for (const node of [a, b]) node.always(mock.rateLimited(kind))
    const { error } = await failureOf(ask(bothNodes(), ['a', 'b']))
    expect([error.status, error.code]).toEqual([429, 'engine_overloaded'])
    expect(Math.abs((error.options.retryAfterSeconds ?? 0) - seconds)).toBeLessThanOrEqual(kind === 'date' ? 1 : 0)
  })
})

describe('a call that is given up', () => {
  it('closes its connection within a second and asks no other node', async () => {
    a.next(mock.hang('before-headers'))
    const abort = new AbortController()
    const call = failureOf(ask(bothNodes(), ['a', 'b'], abort.signal))
    await waitFor('the request', () => a.requests[0]?.bodyComplete)
    abort.abort()
    const { attempts } = await call
    expect(attempts.map(({ status }) => status)).toEqual(['aborted'])
    await waitFor('the socket to close', () => a.openSockets === 0, { withinMs: stretched(1_000) })
    expect(b.requests).toHaveLength(0)
  })

  it('leaves nothing behind, a hundred times over', async () => {
    a.always(mock.hang('before-headers'))
    const engines = bothNodes()
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const abort = new AbortController()
        const call = failureOf(ask(engines, ['a'], abort.signal))
        await sleep(index % 20)
        abort.abort()
        await call
      }),
    )
    await waitFor('the sockets to close', () => a.openSockets === 0, { withinMs: stretched(1_000) })
  })
})

describe('one of two nodes that dies under load', () => {
  it('is noticed by no caller', async () => {
    for (const node of [a, b]) node.always(mock.answer({ firstAfterMs: 5 }))
    let draws = 0
    const bytes = (count: number): Buffer => {
      draws += 97
      return Buffer.alloc(count, draws)
    }
    // A node that is only slow, since the machine is busy, is not what dies here.
    const engines = enginesAt({ a: a.url, b: b.url }, { hex: () => '', bytes }, 10_000)
    let answered = 0
    const callers = Array.from({ length: 32 }, async () => {
      while (answered < 400) {
        await ask(engines, ['a', 'b'])
        answered += 1
      }
    })
    await waitFor('some answers', () => answered >= 100)
    const before = answered
    await a.crash()
    await Promise.all(callers)
    expect(before).toBeLessThan(400)
    expect(a.requests.length).toBeGreaterThan(10)
    expect(engines.views()[0]).toMatchObject({ id: 'a', state: 'ejected' })
  })
})
