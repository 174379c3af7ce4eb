/** Why bytes or text are not acceptable JSON. The words are fixed, so a reason can be shown to anybody. */
export type JsonFault =
  | 'unexpected end'
  | 'unexpected character'
  | 'control character in a string'
  | 'invalid escape in a string'
  | 'invalid number'
  | 'invalid UTF-8'
  | 'byte order mark'
  | 'not an object'
  | 'too long'
  | 'nested too deeply'
  | 'too many members'
  | 'invalid'

/**
 * JSON that cannot be read. It never holds a piece of the input: the message goes to callers and logs, and the input may
 * hold secrets.
 */
export class JsonError extends Error {
  override readonly name = 'JsonError'
  readonly reason: JsonFault
  /** Where the fault lies: bytes for byte input, UTF-16 units for text, from 0. Null when it was not searched for. */
  readonly position: number | null

  constructor(reason: JsonFault, position: number | null) {
    super(position === null ? reason : `${reason} at position ${position}`)
    this.reason = reason
    this.position = position
  }
}
