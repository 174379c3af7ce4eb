import { answer } from './answer.ts'
import { encodeStep } from './encode-step.ts'
import { type Behaviour, end, fixedResponse, type HeaderList, type HeadStep, raw, reshape, type Step } from './step.ts'

/** Informational responses before the final one. 101 is never right here, the others are. */
export function informational(
  options: { code?: 100 | 101 | 102 | 103; count?: number },
  behaviour: Behaviour = answer(),
): Behaviour {
  const { code = 103, count = 1 } = options
  const lines = code === 103 ? 'Link: </style.css>; rel=preload\r\n' : ''
  const bytes = Buffer.from(`HTTP/1.1 ${code} Early\r\n${lines}\r\n`.repeat(count))
  return reshape(behaviour, function* (steps) {
    yield raw(bytes)
    yield* steps
  })
}

/** Adds header fields to the response as they are given. */
export function withHeaders(headers: HeaderList, behaviour: Behaviour = answer()): Behaviour {
  return mapHead(behaviour, step => ({ ...step, headers: [...step.headers, ...headers] }))
}

export function manyHeaders(count: number, behaviour: Behaviour = answer()): Behaviour {
  return withHeaders(
    Array.from({ length: count }, (_, index) => [`X-Engine-${index}`, `value ${index}`] as const),
    behaviour,
  )
}

export function hugeHeader(bytes: number, behaviour: Behaviour = answer()): Behaviour {
  return withHeaders([['X-Engine-Huge', 'h'.repeat(bytes)]], behaviour)
}

/** Fields that must not reach a caller: cookies, the engine's name and address, hop-by-hop and security fields. */
export function leakyHeaders(behaviour: Behaviour = answer()): Behaviour {
  return withHeaders(LEAKY_HEADERS, behaviour)
}

export const LEAKY_HEADERS: HeaderList = [
  ['Set-Cookie', 'engine_session=secret; Path=/'],
  ['Set-Cookie', 'second=1'],
  ['Server', 'uvicorn'],
  ['X-Powered-By', 'mock engine'],
  ['Via', '1.1 engine-7.internal'],
  ['X-Request-Id', 'id-of-the-engine'],
  ['Openai-Organization', 'org-of-the-operator'],
  ['X-Ratelimit-Remaining-Requests', '41'],
  ['Access-Control-Allow-Origin', 'https://engine.internal'],
  ['Strict-Transport-Security', 'max-age=1'],
  ['Location', 'http://engine-7.internal/elsewhere'],
  ['Keep-Alive', 'timeout=5'],
  ['Cache-Control', 'public, max-age=3600'],
]

/** Trailer fields after the body. They need a chunked answer. */
export function withTrailers(
  trailers: HeaderList = [
    ['X-Engine-Checksum', 'abc'],
    ['Set-Cookie', 'late=1'],
  ],
  behaviour: Behaviour = answer({ framing: 'chunked' }),
): Behaviour {
  return reshape(behaviour, function* (steps) {
    for (const step of steps) yield step.kind === 'complete' ? { ...step, trailers } : step
  })
}

/** A second response, which nobody asked for, right behind the first: it must never answer the next request. */
export function secondResponse(behaviour: Behaviour = answer(), text = 'stolen answer'): Behaviour {
  return reshape(behaviour, function* (steps) {
    yield* steps
    yield raw(responseBytes(text))
  })
}

/** As `secondResponse`, but it comes while the connection is idle in the peer's pool. */
export function lateResponse(afterMs: number, behaviour: Behaviour = answer()): Behaviour {
  return reshape(behaviour, function* (steps) {
    yield* steps
    yield { kind: 'wait', ms: afterMs }
    yield raw(responseBytes('late answer'))
  })
}

/** Closes or resets the connection while it is idle in the peer's pool. */
export function closeWhenIdle(
  afterMs: number,
  how: 'close' | 'reset' = 'close',
  behaviour: Behaviour = answer(),
): Behaviour {
  return reshape(behaviour, function* (steps) {
    yield* steps
    yield { kind: 'wait', ms: afterMs }
    yield end(how)
  })
}

/** A redirect, which must not be followed: the engine's key would go to another host. */
export function redirect(location: string, code = 307): Behaviour {
  return mapHead(
    () => fixedResponse(code, '', undefined),
    step => ({
      ...step,
      headers: [...step.headers, ['Location', location]],
    }),
  )
}

function mapHead(behaviour: Behaviour, map: (step: HeadStep) => HeadStep): Behaviour {
  return reshape(behaviour, function* (steps): Generator<Step> {
    for (const step of steps) yield step.kind === 'head' ? map(step) : step
  })
}

function responseBytes(text: string): Buffer {
  const message = { role: 'assistant', content: text }
  const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
  return Buffer.concat(fixedResponse(200, body, 'application/json').map(step => encodeStep(step, false)))
}
