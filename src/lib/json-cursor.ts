import { isUtf8 } from 'node:buffer'
import { jsonDepthMax } from './json-bounds.ts'
import { afterJsonNumber, hasBytesAt, isJsonSpace, jsonByte, readHexUnit } from './json-bytes.ts'
import type { JsonFault } from './json-error.ts'
import type { JsonName, JsonNames } from './json-names.ts'

const words = { true: Buffer.from('true'), false: Buffer.from('false'), null: Buffer.from('null') }

const plainByte = 0
const closingByte = 1
const escapeByte = 2
const controlByte = 3
const leadByte = 4
const continuationByte = 5

/** What a byte means inside a JSON string: one look-up instead of four comparisons for each byte of text. */
const stringBytes = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20) return controlByte
  if (byte === jsonByte.quote) return closingByte
  if (byte === jsonByte.backslash) return escapeByte
  if (byte < 0x80) return plainByte
  return byte < 0xc0 ? continuationByte : leadByte
})

/** 1 for the letters that may follow a backslash, `u` aside. */
const simpleEscapes = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/**
 * A strict reader of one JSON text (RFC 8259) in `bytes[start, end)` that builds no values. It accepts exactly what
 * `JSON.parse` accepts of valid UTF-8, up to `depthMax`. A fault sticks: every later step returns at once, so callers
 * look at `fault` only when they are done. Loops read as
 * `cursor.open(); for (let first = true; cursor.nextMember(first); first = false) cursor.skipValue()`.
 */
export class JsonCursor {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  readonly depthMax: number
  /** The next byte to read; the place of the fault once there is one. */
  position: number
  fault: JsonFault | null = null
  /** Of the last member: its name's quotes, and the comma before it (-1 for the first one). */
  keyStart = 0
  keyEnd = 0
  keyEscaped = false
  commaAt = -1
  /** Of the last string: its Unicode code points, an escape or a pair of surrogate escapes being one. */
  characters = 0
  escaped = false
  /** An object read by nextWanted has a wanted name twice or some name with an escape: other readers may read otherwise. */
  odd = false
  private depth = 0
  private ascii = true

  constructor(bytes: Buffer, span: { start: number; end: number; depthMax?: number }) {
    this.bytes = bytes
    this.start = span.start
    this.end = span.end
    this.depthMax = span.depthMax ?? jsonDepthMax
    this.position = span.start
  }

  /** The byte at the position after white space, -1 at the end. */
  peek(): number {
    if (this.position < this.end) {
      const byte = this.bytes[this.position] as number
      if (byte > jsonByte.space) return byte
    }
    return this.skipSpace()
  }

  /** Steps into the object or array whose first byte was just peeked. */
  open(): void {
    this.position++
    if (++this.depth > this.depthMax) this.fail('nested too deeply')
  }

  /** Steps to the value of the next member; false when the object is closed or a fault was met. */
  nextMember(first: boolean): boolean {
    if (!this.advance(first, jsonByte.closeBrace)) return false
    this.keyStart = this.position
    if (this.peek() !== jsonByte.quote) return this.failHere()
    this.skipString()
    if (this.fault !== null) return false
    this.keyEnd = this.position
    this.keyEscaped = this.escaped
    if (this.peek() !== jsonByte.colon) return this.failHere()
    this.position++
    this.peek()
    return true
  }

  /** Steps to the next element; false when the array is closed or a fault was met. */
  nextElement(first: boolean): boolean {
    return this.advance(first, jsonByte.closeBracket)
  }

  /**
   * Steps to the value of the next member with a wanted name and skips what lies between; null at the end of the object.
   * `seen` has the bits of the names that this object gave so far, 0 at first. Names spelled with escapes are never
   * wanted, and neither they nor repeated ones pass unnoticed: see `odd`.
   */
  nextWanted<Name extends string>(names: JsonNames<Name>, seen: number): JsonName<Name> | null {
    for (let first = seen === 0; this.nextMember(first); first = false) {
      if (this.keyEscaped) this.odd = true
      const found = this.matchKey(names)
      if (found !== null) {
        if ((seen & found.bit) !== 0) this.odd = true
        return found
      }
      this.skipValue()
    }
    return null
  }

  skipValue(): void {
    const byte = this.peek()
    if (byte === jsonByte.quote) this.skipString()
    else if (byte === jsonByte.openBrace) {
      this.open()
      for (let first = true; this.nextMember(first); first = false) this.skipValue()
    } else if (byte === jsonByte.openBracket) {
      this.open()
      for (let first = true; this.nextElement(first); first = false) this.skipValue()
    } else if (byte === jsonByte.letterT) this.skipWord(words.true)
    else if (byte === jsonByte.letterF) this.skipWord(words.false)
    else if (byte === jsonByte.letterN) this.skipWord(words.null)
    else this.skipNumber()
  }

  /** Reads the string whose opening quote is at the position. */
  skipString(): void {
    const { bytes, end } = this
    const from = this.position + 1
    let surplus = 0
    this.escaped = false
    for (let at = afterPlainText(bytes, from, end); at < end; at = afterPlainText(bytes, at, end)) {
      const kind = stringBytes[bytes[at] as number]
      if (kind === closingByte) {
        this.position = at + 1
        this.characters = at - from - surplus
        return
      }
      if (kind === escapeByte) {
        const length = this.escapeLength(at)
        if (length === 0) return
        this.escaped = true
        surplus += length - 1
        at += length
      } else if (kind === controlByte) {
        this.position = at
        this.fail('control character in a string')
        return
      } else {
        if (kind === continuationByte) surplus++
        this.ascii = false
        at++
      }
    }
    this.position = end
    this.fail('unexpected end')
  }

  /** Ends the reading: only white space may follow, and text beyond ASCII must be valid UTF-8. False on a fault. */
  finish(): boolean {
    if (this.fault !== null) return false
    if (this.peek() !== -1) return this.failHere()
    if (!this.ascii && !isUtf8(this.bytes.subarray(this.start, this.end))) {
      this.position = this.start
      this.fail('invalid UTF-8')
    }
    return this.fault === null
  }

  /** The entry that the last name is spelled as; null for other names and for spellings with escapes. */
  private matchKey<Name extends string>(names: JsonNames<Name>): JsonName<Name> | null {
    const length = this.keyEnd - this.keyStart
    for (const entry of names) {
      if (entry.spelled.length === length && hasBytesAt(this.bytes, this.keyStart, entry.spelled)) return entry
    }
    return null
  }

  private advance(first: boolean, close: number): boolean {
    if (this.fault !== null) return false
    const byte = this.peek()
    if (byte === close) {
      this.position++
      this.depth--
      return false
    }
    this.commaAt = -1
    if (first) return true
    if (byte !== jsonByte.comma) return this.failHere()
    this.commaAt = this.position
    this.position++
    this.peek()
    return true
  }

  /** Bytes of the escape at `at`, a pair of surrogates being one escape of 12; 0 after a fault. */
  private escapeLength(at: number): number {
    const { bytes, end } = this
    if (at + 1 >= end) return this.failEscape(end)
    const byte = bytes[at + 1] as number
    if (byte !== jsonByte.letterU) return simpleEscapes[byte] === 1 ? 2 : this.failEscape(at + 1)
    const unit = readHexUnit(bytes, at + 2, end)
    if (unit < 0) return this.failEscape(at + 2)
    if (unit < 0xd800 || unit > 0xdbff) return 6
    if (bytes[at + 6] !== jsonByte.backslash || bytes[at + 7] !== jsonByte.letterU) return 6
    const low = readHexUnit(bytes, at + 8, end)
    return low >= 0xdc00 && low <= 0xdfff ? 12 : 6
  }

  private skipSpace(): number {
    while (this.position < this.end) {
      const byte = this.bytes[this.position] as number
      if (!isJsonSpace(byte)) return byte
      this.position++
    }
    return -1
  }

  private skipWord(word: Buffer): void {
    if (this.position + word.length > this.end || !hasBytesAt(this.bytes, this.position, word)) {
      this.failHere()
      return
    }
    this.position += word.length
  }

  private skipNumber(): void {
    const first = this.position < this.end ? this.bytes[this.position] : undefined
    const isNumber =
      first === jsonByte.minus || (first !== undefined && first >= jsonByte.zero && first <= jsonByte.nine)
    const after = isNumber ? afterJsonNumber(this.bytes, this.position, this.end) : -1
    if (after >= 0) this.position = after
    else if (isNumber) this.fail('invalid number')
    else this.failHere()
  }

  private failEscape(at: number): 0 {
    this.position = at
    this.fail(at >= this.end ? 'unexpected end' : 'invalid escape in a string')
    return 0
  }

  private failHere(): false {
    this.fail(this.position >= this.end ? 'unexpected end' : 'unexpected character')
    return false
  }

  private fail(fault: JsonFault): void {
    this.fault ??= fault
  }
}

/** The first position from `from` on that holds no plain text, looked for in strides of four while text is long. */
function afterPlainText(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at + 4 <= end) {
    const kinds =
      (stringBytes[bytes[at] as number] as number) |
      (stringBytes[bytes[at + 1] as number] as number) |
      (stringBytes[bytes[at + 2] as number] as number) |
      (stringBytes[bytes[at + 3] as number] as number)
    if (kinds !== plainByte) break
    at += 4
  }
  while (at < end && stringBytes[bytes[at] as number] === plainByte) at++
  return at
}
