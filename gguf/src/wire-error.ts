/** Facts of a refusal, in the terms of OpenAI's error object. */
export interface WireErrorFacts {
  /** HTTP status, 400–599. */
  readonly status: number
  readonly code: string
  /** Safe to show to anyone: no paths, no stacks, no text of other requests. */
  readonly message: string
  /** The body field at fault, e.g. `messages[2].content`. */
  readonly param?: string
  /** Seconds, 1–60; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
}

/** A failure that the caller is told about as it is. Everything else becomes a plain 500. */
export class WireError extends Error {
  readonly facts: WireErrorFacts

  constructor(facts: WireErrorFacts) {
    super(facts.message)
    this.name = 'WireError'
    this.facts = facts
  }
}

/** A 400 about one field of the body. */
export function invalidField(param: string, message: string): WireError {
  return new WireError({ status: 400, code: 'invalid_value', message, param })
}

/** A 400 about something valid in OpenAI's API that this engine or this model cannot do. */
export function unsupportedField(param: string, message: string): WireError {
  return new WireError({ status: 400, code: 'unsupported_value', message, param })
}

/** Anything thrown → what may be shown. Unknown failures show nothing of themselves. */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error
  return new WireError({ status: 500, code: 'internal', message: 'The engine failed while answering.' })
}

/** The body of every error answer, also in-band in a stream. */
export function encodeError({ facts }: WireError): string {
  return JSON.stringify({
    error: { message: facts.message, type: errorType(facts.status), param: facts.param ?? null, code: facts.code },
  })
}

function errorType(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
