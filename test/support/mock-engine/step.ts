import type { EngineRequest } from './engine-request.ts'

/** What a payload step means, so that faults can be placed: `chunk` is content that counts as tokens. */
export type Part = 'role' | 'chunk' | 'finish' | 'usage' | 'done' | 'body' | 'other'

/** How an exchange ends. `hang` keeps the socket open and silent until the peer leaves or the engine closes. */
export type Ending = 'keep-alive' | 'close' | 'reset' | 'hang'

export type HeaderList = readonly (readonly [name: string, value: string])[]

export interface HeadStep {
  readonly kind: 'head'
  readonly status: number
  readonly headers: HeaderList
  /** Whether payload steps are framed as HTTP chunks. Independent of `headers`, so that they can lie. */
  readonly chunked: boolean
}

export interface PayloadStep {
  readonly kind: 'payload'
  readonly part: Part
  readonly bytes: Buffer
  readonly tokens: number
}

export type Step =
  | HeadStep
  | PayloadStep
  /** Bytes written as they are, outside all framing. */
  | { readonly kind: 'raw'; readonly bytes: Buffer }
  /** Work of the engine that leaves no byte on the wire (a completion before its JSON is sent). */
  | { readonly kind: 'generate'; readonly tokens: number }
  | { readonly kind: 'wait'; readonly ms: number }
  /** The message is complete: writes the last chunk and the trailers when the head was chunked. */
  | { readonly kind: 'complete'; readonly trailers: HeaderList }
  /** From here on the engine does not read from the socket, so that the peer's upload meets back-pressure. */
  | { readonly kind: 'stop-reading' }
  | { readonly kind: 'end'; readonly how: Ending }

/**
 * What the engine does with one request: a pure function from the request to the steps it plays. A step is made only
 * when the one before it was written, so that endless behaviours obey back-pressure and stop when the peer leaves.
 */
export interface Behaviour {
  (request: EngineRequest): Iterable<Step>
  /** Starts at the end of the request's head instead of its body. Works for behaviours given to `next`. */
  readonly beforeBody?: boolean
}

/** A behaviour made from another one by rewriting its steps. */
export function reshape(
  behaviour: Behaviour,
  rewrite: (steps: Iterable<Step>, request: EngineRequest) => Iterable<Step>,
): Behaviour {
  const reshaped = (request: EngineRequest) => rewrite(behaviour(request), request)
  return behaviour.beforeBody === true ? Object.assign(reshaped, { beforeBody: true }) : reshaped
}

export function payload(part: Part, bytes: Buffer | string, tokens = 0): PayloadStep {
  return { kind: 'payload', part, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes, tokens }
}

export function raw(bytes: Buffer | string): Step {
  return { kind: 'raw', bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes }
}

/** No step for no time: even a wait of 0 ms would cost a turn of the timers. */
export function pause(ms = 0): Step[] {
  return ms > 0 ? [{ kind: 'wait', ms }] : []
}

export function end(how: Ending): Step {
  return { kind: 'end', how }
}

export const complete: Step = { kind: 'complete', trailers: [] }

/** How the end of a body is marked: by its length, by a last chunk, or by closing the connection. */
export type Framing = { readonly length: number } | 'chunked' | 'until-close'

/** A head whose framing headers are true. An undefined `contentType` sends none. */
export function head(
  status: number,
  options: { contentType?: string | undefined; framing: Framing; headers?: HeaderList },
): HeadStep {
  const { contentType, framing, headers = [] } = options
  const list: (readonly [string, string])[] = []
  if (contentType !== undefined) list.push(['Content-Type', contentType])
  if (framing === 'chunked') list.push(['Transfer-Encoding', 'chunked'])
  else if (framing === 'until-close') list.push(['Connection', 'close'])
  else list.push(['Content-Length', String(framing.length)])
  return { kind: 'head', status, headers: [...list, ...headers], chunked: framing === 'chunked' }
}

/** A whole response with a fixed body. */
export function fixedResponse(status: number, body: string | Buffer, contentType: string | undefined): Step[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return [head(status, { contentType, framing: { length: bytes.length } }), payload('body', bytes), complete]
}
