/**
 * A request that an engine of this gateway's own making does not take: 400 with these words. They never spell the engine's own name of the model,
 * because that is replaced by the caller's on the way.
 */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
  readonly code: string
  readonly param: string | null

  constructor(code: string, message: string, param: string | null = null) {
    super(message)
    this.code = code
    this.param = param
  }
}

export function invalidField(param: string, problem: string): RequestRefused {
  return new RequestRefused('invalid_value', `\`${param}\` ${problem}.`, param)
}
