import { readJsonString } from './json.ts'
import { jsonByte } from './json-bytes.ts'
import { decode, isPlain, type StringSpan } from './json-long-strings.ts'
import { isEscaped } from './json-string.ts'
import { type Steps, turnBytes } from './turns.ts'

/** In UTF-8. */
export const characterBytesMax = 4

/** `\u` and four digits. */
const escapeBytesMax = 6

/**
 * The string that is spelled at `span` in valid UTF-8. `pieceBytes` are read in a turn.
 * @throws SyntaxError when it holds what no string may hold
 */
export function* longStringSteps({ bytes, span }: SpelledString, pieceBytes = turnBytes): Steps<string> {
  const text = bytes.subarray(span.start + 1, span.end - 1)
  for (let from = 0; from < text.length; from += pieceBytes) {
    if (!isPlain(text.subarray(from, from + pieceBytes))) return yield* unescapeSteps(text, pieceBytes)
    yield
  }
  return text.toString('latin1')
}

interface SpelledString {
  readonly bytes: Buffer
  readonly span: StringSpan
}

/** Of ASCII, as base64 with `\/` is, one string is made at the end: joining many takes several times as long. */
function* unescapeSteps(text: Buffer, pieceBytes: number): Steps<string> {
  const ascii = Buffer.allocUnsafe(text.length)
  let written = 0
  let pieces: string[] | null = null
  for (let from = 0; from < text.length; ) {
    const end = pieceEnd(text, from, pieceBytes)
    const piece = readJsonString(`"${decode(text.subarray(from, end))}"`)
    if (pieces === null && Buffer.byteLength(piece) > piece.length) pieces = [ascii.toString('latin1', 0, written)]
    if (pieces === null) written += ascii.write(piece, written, 'latin1')
    else pieces.push(piece)
    from = end
    yield
  }
  return pieces === null ? ascii.toString('latin1', 0, written) : pieces.join('')
}

/** Some `pieceBytes` behind `from`, and not within a character or an escape. At least one of them is before it. */
function pieceEnd(text: Buffer, from: number, pieceBytes: number): number {
  const end = characterStart(text, from + Math.max(pieceBytes, 2 * escapeBytesMax))
  if (end === text.length) return end
  const tail = end - escapeBytesMax + 1
  const found = text.subarray(tail, end).lastIndexOf(jsonByte.backslash)
  return found < 0 || isEscaped(text, tail + found, from) ? end : tail + found
}

/** The last place up to `at` where a character of valid UTF-8 begins or the text ends. */
export function characterStart(text: Buffer, at: number): number {
  if (at >= text.length) return text.length
  for (let start = at; start > at - characterBytesMax && start > 0; start--)
    if (((text[start] as number) & 0xc0) !== 0x80) return start
  return at
}
