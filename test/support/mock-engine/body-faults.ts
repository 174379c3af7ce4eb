import { answer, answerJson, answerStream } from './answer.ts'
import { type Behaviour, complete, end, type HeadStep, head, payload, reshape, type Step } from './step.ts'

const HTML = '<!DOCTYPE html><html><head><title>Welcome</title></head><body>A login page</body></html>'

/** The JSON ends in its middle, and Content-Length agrees with what is sent: the message is complete, the JSON is not. */
export function truncatedJson(): Behaviour {
  return reshape(answerJson(), function* (steps) {
    for (const step of steps) {
      if (step.kind !== 'payload') continue
      const bytes = step.bytes.subarray(0, Math.floor(step.bytes.length / 2))
      yield head(200, { contentType: 'application/json', framing: { length: bytes.length } })
      yield payload('body', bytes)
      yield complete
    }
  })
}

/**
 * A Content-Length that is wrong by this many bytes. Positive: too long, and then FIN, so that the body is short.
 * Negative: too short, so that the rest of the body stands where the next response should begin.
 */
export function wrongLength(difference: number, behaviour: Behaviour = answerJson()): Behaviour {
  return reshape(behaviour, function* (steps) {
    for (const step of steps) {
      yield step.kind === 'head' ? withLength(step, difference) : step
    }
    if (difference > 0) yield end('close')
  })
}

function withLength(step: HeadStep, difference: number): HeadStep {
  const headers = step.headers.map(([name, value]): readonly [string, string] =>
    name === 'Content-Length' ? [name, String(Number(value) + difference)] : [name, value],
  )
  return { ...step, headers }
}

/** Broken HTTP framing that is not a matter of length alone. */
export const brokenFraming = {
  badChunkSize: () => rawChunks('zz\r\n{"id":1}\r\n0\r\n\r\n'),
  /** The number is larger than what follows, and then FIN. */
  chunkTooLong: () => rawChunks('ffff\r\n{"id":1}\r\n'),
  chunkWithoutEnd: () => rawChunks('8\r\n{"id":1}0\r\n\r\n'),
  hugeChunkSize: () => rawChunks('ffffffffffffffff\r\n{"id":1}\r\n0\r\n\r\n'),
  lengthAndChunked: () => withHead([['Content-Length', '5']], true),
  twoLengths: () => withHead([['Content-Length', '5']], false),
  notHttp: () => [{ kind: 'raw', bytes: Buffer.from('SSH-2.0-OpenSSH_9.9\r\n') } as const, end('close')],
  http09: () => [{ kind: 'raw', bytes: Buffer.from('{"id":"x","choices":[]}') } as const, end('close')],
  badStatusLine: () => [{ kind: 'raw', bytes: Buffer.from('HTTP/1.1 abc OK\r\n\r\n') } as const, end('close')],
} satisfies Record<string, Behaviour>

/** The body is right and its Content-Type is not, or the other way round. */
export const wrongContentType = {
  /** A valid JSON completion where a stream was asked for. */
  jsonForStream: answerJson(),
  /** A valid stream where JSON was asked for. */
  sseForJson: answerStream(),
  /** SSE bytes that call themselves JSON, and JSON that calls itself SSE. */
  swapped: request =>
    (request.body?.['stream'] === true
      ? answerStream({ contentType: 'application/json' })
      : answerJson({ contentType: 'text/event-stream' }))(request),
  none: answer({ contentType: null }),
  octets: answer({ contentType: 'application/octet-stream' }),
  utf16: request =>
    answer({
      contentType: `${request.body?.['stream'] === true ? 'text/event-stream' : 'application/json'}; charset=utf-16`,
    })(request),
  html200: () => fixed(HTML, 'text/html; charset=utf-8'),
  plain200: () => fixed('upstream is fine', 'text/plain'),
} satisfies Record<string, Behaviour>

/** 200 with `application/json`, and a body that is no completion. */
export const wrongJsonBodies = {
  errorObject: () =>
    fixed('{"error":{"message":"engine exploded","type":"server_error","param":null,"code":"internal"}}'),
  errorText: () => fixed('{"error":"engine exploded"}'),
  empty: () => fixed(''),
  null: () => fixed('null'),
  array: () => fixed('[]'),
  number: () => fixed('1e999'),
  emptyObject: () => fixed('{}'),
  noChoices: () => fixed('{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[]}'),
  choicesText: () => fixed('{"id":"x","object":"chat.completion","created":1,"model":"m","choices":"one"}'),
  messageMissing: () => fixed('{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0}]}'),
  notJson: () => fixed('Internal engine message, not JSON'),
  binary: () => fixed(Buffer.from([0, 255, 128, 7, 31, 139])),
  deeplyNested: () => fixed(`{"choices":${'['.repeat(20_000)}${']'.repeat(20_000)}}`),
  twoObjects: () => fixed('{"id":"x","choices":[]}{"id":"y","choices":[]}'),
} satisfies Record<string, Behaviour>

function fixed(body: string | Buffer, contentType = 'application/json'): Step[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return [head(200, { contentType, framing: { length: bytes.length } }), payload('body', bytes), complete]
}

/** Frames written by hand after a chunked head, then FIN. */
function rawChunks(frames: string): Step[] {
  return [
    head(200, { contentType: 'application/json', framing: 'chunked' }),
    { kind: 'raw', bytes: Buffer.from(frames) },
    end('close'),
  ]
}

function withHead(headers: HeadStep['headers'], chunked: boolean): Step[] {
  const body = Buffer.from('{"id":"x","choices":[]}')
  const framing = chunked ? 'chunked' : { length: body.length }
  return [head(200, { contentType: 'application/json', framing, headers }), payload('body', body), complete]
}
