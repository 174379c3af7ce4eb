import { type Behaviour, complete, type HeaderList, head, payload } from './step.ts'

export interface ErrorBody {
  readonly contentType: string | undefined
  readonly body: string
}

/** Error bodies in the shapes that engines and the proxies before them use. */
export const errorBodies = {
  openAi: message =>
    json({ error: { message, type: 'invalid_request_error', param: 'temperature', code: 'bad_value' } }),
  openAiNulls: message => json({ error: { message, type: null, param: null, code: null } }),
  vllm: message => json({ object: 'error', message, type: 'BadRequestError', param: null, code: 400 }),
  detail: message => json({ detail: message }),
  detailList: message => json({ detail: [{ loc: ['body', 'temperature'], msg: message, type: 'value_error' }] }),
  errorText: message => json({ error: message }),
  messageOnly: message => json({ message }),
  errorNull: () => json({ error: null }),
  errorNumber: () => json({ error: 17 }),
  jsonText: message => json(message),
  jsonArray: message => json([{ error: { message } }]),
  plain: message => ({ contentType: 'text/plain; charset=utf-8', body: message }),
  html: message => ({
    contentType: 'text/html',
    body: `<html><head><title>Error</title><script>alert(1)</script></head><body><h1>Error</h1><p>${message}</p></body></html>`,
  }),
  empty: () => ({ contentType: undefined, body: '' }),
  /** Says JSON and is none. */
  brokenJson: message => ({ contentType: 'application/json', body: `{"error":{"message":"${message}"` }),
  /** An error that comes as a stream. */
  sse: message => ({
    contentType: 'text/event-stream',
    body: `data: ${JSON.stringify({ error: { message } })}\n\ndata: [DONE]\n\n`,
  }),
  /** Two megabytes of text. */
  long: message => json({ error: { message: `${message} ${'x'.repeat(2_000_000)}`, type: 'server_error' } }),
} satisfies Record<string, (message: string) => ErrorBody>

/**
 * An error answer. `body` is one of `errorBodies`, a JSON value, or text; the default is OpenAI's shape.
 * Content-Length is right and the connection stays open.
 */
export function status(
  code: number,
  options: { body?: ErrorBody | string | object; headers?: HeaderList } = {},
): Behaviour {
  const { contentType, body } = toErrorBody(options.body ?? errorBodies.openAi(`mock engine says ${code}`))
  const bytes = Buffer.from(body)
  const steps = [
    head(code, { contentType, framing: { length: bytes.length }, headers: options.headers ?? [] }),
    payload('body', bytes),
    complete,
  ]
  return () => steps
}

/** Values of Retry-After, right and wrong. `date` and `pastDate` are relative to the time of the call. */
export const retryAfterValues = {
  none: () => undefined,
  one: () => '1',
  seconds: () => '7',
  zero: () => '0',
  negative: () => '-5',
  huge: () => '1000000000',
  beyondNumbers: () => '9'.repeat(400),
  fractional: () => '1.5',
  date: () => new Date(Date.now() + 20_000).toUTCString(),
  pastDate: () => new Date(Date.now() - 3_600_000).toUTCString(),
  farDate: () => 'Fri, 31 Dec 9999 23:59:59 GMT',
  isoDate: () => new Date(Date.now() + 20_000).toISOString(),
  junk: () => 'soon',
  empty: () => '',
  hexadecimal: () => '0x10',
  infinity: () => 'Infinity',
  list: () => '3, 5',
} satisfies Record<string, () => string | undefined>

/** 429 with one of `retryAfterValues`. */
export function rateLimited(
  retryAfter: keyof typeof retryAfterValues = 'seconds',
  headers: HeaderList = [],
): Behaviour {
  return request => {
    const value = retryAfterValues[retryAfter]()
    const all: HeaderList = value === undefined ? headers : [['Retry-After', value], ...headers]
    return status(429, { body: errorBodies.openAi('too many requests'), headers: all })(request)
  }
}

function json(value: unknown): ErrorBody {
  return { contentType: 'application/json', body: JSON.stringify(value) }
}

function toErrorBody(body: ErrorBody | string | object): ErrorBody {
  if (typeof body === 'string') return errorBodies.plain(body)
  return 'contentType' in body && 'body' in body ? (body as ErrorBody) : json(body)
}
