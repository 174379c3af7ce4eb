import { afterAll, beforeAll } from 'vitest'
import { findFreePort } from '../../support/gateway/free-port.ts'
import type { Place } from '../../support/mock-engine/index.ts'
import * as mock from '../../support/mock-engine/index.ts'
import { describeFaults, type Fault } from './describe-faults.ts'
import { type Expectation, estimated, fault, fine, late, midway } from './expectation.ts'

/** Addresses where no engine answers. They are there before the gateway is configured. */
const addresses = { refused: '', blackHole: '', untrusted: '', noTls: '' }
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  const blackHole = await mock.startBlackHole()
  const untrusted = await mock.startUntrustedServer()
  const plain = await mock.startMockEngine()
  closing.push(
    () => blackHole.close(),
    () => untrusted.close(),
    () => plain.close(),
  )
  addresses.refused = `http://127.0.0.1:${await findFreePort()}/v1`
  addresses.blackHole = blackHole.url
  addresses.untrusted = untrusted.url
  addresses.noTls = plain.url.replace('http:', 'https:')
})

afterAll(async () => {
  for (const close of closing) await close()
})

const quick = { timeouts: { connectMs: 2_000, firstByteMs: 600, idleMs: 600, totalMs: 9_000, streamTotalMs: 9_000 } }
const noConnect = { timeouts: { ...quick.timeouts, connectMs: 400 } }

const unreachable: Record<string, Fault> = {
  'a refused connection': { url: () => addresses.refused, stream: fault, whole: fault },
  'an unknown name': { url: () => 'http://engine.invalid/v1', stream: fault, whole: fault },
  'a connect without an answer': { url: () => addresses.blackHole, engine: noConnect, stream: late, whole: late },
  'a certificate that nobody signed': { url: () => addresses.untrusted, stream: fault, whole: fault },
  'no TLS where TLS was asked for': { url: () => addresses.noTls, stream: fault, whole: fault },
}

/** Where a stream is cut, and what that means for it and for a whole answer. */
const places: [string, Place, stream: Expectation, whole: Expectation][] = [
  ['before the headers', 'before-headers', fault, fault],
  ['within the headers', 'mid-headers', fault, fault],
  ['after the headers', 'after-headers', fault, fault],
  ['before the first token', { chunks: 0 }, midway, fault],
  ['after the third token', { chunks: 3 }, midway, fault],
  ['within the second token', { insideChunk: 1 }, midway, fault],
  ['after the finish reason', 'after-finish', estimated, fault],
  ['after the usage', 'after-usage', fine(), fault],
  ['after [DONE]', 'after-done', fine(), fine()],
  ['after the message', 'after-end', fine(), fine()],
]

const cuts = Object.fromEntries(
  places.flatMap(([where, place, stream, whole]): [string, Fault][] => [
    [`a reset ${where}`, { behaviour: mock.reset(place), stream, whole }],
    [`a close ${where}`, { behaviour: mock.close(place), stream, whole }],
    // After the message an engine is silent by right, until the next request.
    ...(place === 'after-end' ? [] : [silence(where, place, { stream: slow(stream), whole: slow(whole) })]),
  ]),
)

function silence(where: string, place: Place, expected: Pick<Fault, 'stream' | 'whole'>): [string, Fault] {
  return [`silence ${where}`, { behaviour: mock.hang(place), engine: quick, ...expected }]
}

/** Silence is a fault that takes time. */
function slow(expectation: Expectation): Expectation {
  return expectation.kind === 'fault' ? late : expectation
}

describeFaults('a node that cannot be reached', unreachable)
describeFaults('a broken connection', cuts)
