import { isAscii } from 'node:buffer'
import { isJsonSpace, jsonByte } from './json-bytes.ts'

/** Media in base64 are longer; for shorter strings the parser alone is as quick. */
export const longStringBytesMin = 65_536

/** More than 35 MiB can hold. Strings beyond are parsed with the rest. */
export const longStringsMax = 1_000

/** The control character U+0001 begins a mark: a string can only hold it as this escape, which has one spelling. */
const markHead = '\u0001'
const markSpelling = '"\\u0001'

/** The bytes of a string's spelling, its quotes included. */
export interface StringSpan {
  readonly start: number
  readonly end: number
}

/** JSON whose long strings were taken out: marks stand in their places. */
interface CutJson {
  readonly text: string
  /** What each mark stands for, in the order of their numbers. */
  readonly strings: readonly string[]
}

/**
 * Takes out of JSON in valid UTF-8 those of the strings at `spans` that are what they are spelled as: ASCII without escapes
 * and control characters. The parser would look at each of their characters, and hold up everything else for tens of
 * milliseconds for a body full of media. The names of members stay. What is left is valid exactly if all of it was.
 */
export function cutLongStrings(bytes: Buffer, spans: readonly StringSpan[]): CutJson {
  const cuts = spans.filter(span => isPlain(bytes.subarray(span.start + 1, span.end - 1)) && !isName(bytes, span))
  const pieces = [...cuts, { start: bytes.length }].map(({ start }, index) =>
    decode(bytes.subarray(cuts[index - 1]?.end ?? 0, start)),
  )
  // Nobody writes so; whoever does has all of the body parsed at once.
  if (pieces.some(piece => piece.includes(markSpelling))) return { text: decode(bytes), strings: [] }
  return {
    text: pieces.reduce((text, piece, index) => `${text}${markSpelling}${index - 1}"${piece}`),
    strings: cuts.map(({ start, end }) => bytes.toString('latin1', start + 1, end - 1)),
  }
}

/** The parsed value with the strings in the places of their marks. Values are changed where they are. */
export function restoreStrings<Value>(value: Value, strings: readonly string[]): Value {
  if (typeof value === 'string') return (stringOf(value, strings) ?? value) as Value
  if (strings.length > 0) restoreWithin(value, strings)
  return value
}

function restoreWithin(value: unknown, strings: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const held = (value as Record<string, unknown>)[key]
    const string = typeof held === 'string' ? stringOf(held, strings) : undefined
    // An assignment would call the setter of a member named __proto__.
    if (string !== undefined) Object.defineProperty(value, key, { value: string })
    else restoreWithin(held, strings)
  }
}

function stringOf(value: string, strings: readonly string[]): string | undefined {
  return strings.length > 0 && value.startsWith(markHead) ? strings[Number(value.slice(markHead.length))] : undefined
}

/** Text of valid UTF-8. */
export function decode(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
}

function isName(bytes: Buffer, { end }: StringSpan): boolean {
  let at = end
  while (at < bytes.length && isJsonSpace(bytes[at] as number)) at++
  return bytes[at] === jsonByte.colon
}

/** Whether the text of a string is what it is spelled as. */
export function isPlain(text: Buffer): boolean {
  return isAscii(text) && !text.includes(jsonByte.backslash) && !hasControl(text)
}

/** A space in each byte of a word, and the high bit of each. */
const spaces = 0x20202020
const highBits = 0x80808080
const stride = 4

/**
 * Whether ASCII holds a control character. By words, four at a time, because a look at each byte takes as long as the parser.
 * The first byte that is less than a space borrows from the next one; before it nothing is borrowed, so that its high bit shows.
 */
function hasControl(ascii: Buffer): boolean {
  const head = Math.min(ascii.length, -ascii.byteOffset & 3)
  const count = ((ascii.length - head) >> 2) & -stride
  const words = new Int32Array(ascii.buffer, ascii.byteOffset + head, count)
  let high = 0
  for (let at = 0; at < count; at += stride) {
    high |=
      ((words[at] as number) - spaces) |
      ((words[at + 1] as number) - spaces) |
      ((words[at + 2] as number) - spaces) |
      ((words[at + 3] as number) - spaces)
  }
  const edges = [ascii.subarray(0, head), ascii.subarray(head + count * 4)]
  return (high & highBits) !== 0 || edges.some(edge => edge.some(byte => byte < jsonByte.space))
}
