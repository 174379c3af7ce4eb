import { isUtf8 } from 'node:buffer'
import { findFault, type JsonObject, type JsonValue, readJsonString, refuseLength, refuseMark } from './json.ts'
import { type JsonBounds, JsonBoundsScan, jsonDepthMax } from './json-bounds.ts'
import { jsonByte } from './json-bytes.ts'
import { JsonCursor } from './json-cursor.ts'
import { JsonError } from './json-error.ts'
import type { StringSpan } from './json-long-strings.ts'
import type { JsonMember } from './json-scan.ts'
import { characterBytesMax, characterStart, longStringSteps } from './json-string-steps.ts'
import { type Steps, turnBytes } from './turns.ts'

/** Values that are made in one turn: of the smallest ones some milliseconds. */
const turnValues = 10_000

interface ParsedJson {
  readonly value: JsonValue
  /** Of the outermost object, as scanObject finds them, however many; none of another value. */
  readonly members: readonly JsonMember[]
}

/**
 * What parseJsonBytes gives, or throws, in steps that each look at 2 MiB at most. For large bodies: the parser of the
 * language takes no break, and many times as long for strings with escapes.
 * @throws JsonError whose position counts bytes
 */
export function* parseJsonSteps(bytes: Buffer, bounds: JsonBounds = {}, pieceBytes = turnBytes): Steps<ParsedJson> {
  refuseMark(bytes)
  if (!(yield* isUtf8Steps(bytes, pieceBytes))) throw new JsonError('invalid UTF-8', null)
  refuseLength(bytes, bounds)
  const longStrings = yield* boundsSteps(bytes, bounds, pieceBytes)
  const depthMax = bounds.depthMax ?? jsonDepthMax
  const cursor = new JsonCursor(bytes, { start: 0, end: bytes.length, depthMax })
  const builder = new JsonBuilder(cursor, longStrings, pieceBytes)
  const value = yield* builder.readWhole()
  if (value === undefined) throw findFault(bytes, depthMax)
  return { value, members: builder.members }
}

function* isUtf8Steps(bytes: Buffer, pieceBytes: number): Steps<boolean> {
  for (let from = 0; from < bytes.length; ) {
    const end = characterStart(bytes, from + Math.max(pieceBytes, characterBytesMax))
    if (!isUtf8(bytes.subarray(from, end))) return false
    from = end
    yield
  }
  return true
}

function* boundsSteps(bytes: Buffer, bounds: JsonBounds, pieceBytes: number): Steps<readonly StringSpan[]> {
  const scan = new JsonBoundsScan(bytes, bounds)
  for (let until = pieceBytes; until < bytes.length; until += pieceBytes) {
    scan.advance(until)
    yield
  }
  scan.advance(bytes.length)
  return scan.longStrings
}

/** Makes the value that a cursor reads. Where the cursor meets a fault, all readings end and what they give means nothing. */
class JsonBuilder {
  readonly members: JsonMember[] = []
  private readonly cursor: JsonCursor
  private readonly longStrings: readonly StringSpan[]
  private readonly pieceBytes: number
  private nextLong = 0
  private values = 0
  private turnEnd: number

  constructor(cursor: JsonCursor, longStrings: readonly StringSpan[], pieceBytes: number) {
    this.cursor = cursor
    this.longStrings = longStrings
    this.pieceBytes = pieceBytes
    this.turnEnd = pieceBytes
  }

  /** Undefined for what is not JSON. */
  *readWhole(): Steps<JsonValue | undefined> {
    const { cursor } = this
    try {
      const isObject = cursor.peek() === jsonByte.openBrace
      const value = yield* isObject ? this.readObject(this.members) : this.readValue()
      return cursor.fault === null && cursor.peek() === -1 ? value : undefined
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }

  private *readValue(): Steps<JsonValue> {
    const { cursor } = this
    if (this.isTurnOver()) yield
    const byte = cursor.peek()
    if (byte === jsonByte.openBrace) return yield* this.readObject(null)
    if (byte === jsonByte.openBracket) return yield* this.readArray()
    const span = byte === jsonByte.quote ? this.longStringHere() : undefined
    if (span === undefined) return this.readScalar(byte)
    cursor.position = span.end
    return yield* longStringSteps({ bytes: cursor.bytes, span }, this.pieceBytes)
  }

  private *readObject(members: JsonMember[] | null): Steps<JsonObject> {
    const { cursor } = this
    const object: JsonObject = {}
    cursor.open()
    for (let first = true; cursor.nextMember(first); first = false) {
      const { keyStart, keyEnd, keyEscaped: escapedKey, position: valueStart } = cursor
      const key = this.stringAt(keyStart, keyEnd)
      const value = yield* this.readValue()
      members?.push({ key, keyStart, keyEnd, valueStart, valueEnd: cursor.position, escapedKey })
      // An assignment would call the setter of a member named __proto__.
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true })
      else object[key] = value
    }
    return object
  }

  private *readArray(): Steps<JsonValue[]> {
    const { cursor } = this
    const array: JsonValue[] = []
    cursor.open()
    for (let first = true; cursor.nextElement(first); first = false) array.push(yield* this.readValue())
    return array
  }

  private readScalar(byte: number): JsonValue {
    const { cursor } = this
    const start = cursor.position
    cursor.skipValue()
    if (cursor.fault !== null || byte === jsonByte.letterN) return null
    if (byte === jsonByte.quote) return this.stringAt(start, cursor.position)
    if (byte === jsonByte.letterT || byte === jsonByte.letterF) return byte === jsonByte.letterT
    return Number(cursor.bytes.toString('latin1', start, cursor.position))
  }

  /** The string that the cursor has just read. */
  private stringAt(start: number, end: number): string {
    const { bytes, escaped } = this.cursor
    return escaped ? readJsonString(bytes.toString('utf8', start, end)) : bytes.toString('utf8', start + 1, end - 1)
  }

  private longStringHere(): StringSpan | undefined {
    const { longStrings, cursor } = this
    while ((longStrings[this.nextLong]?.start ?? cursor.position) < cursor.position) this.nextLong++
    const span = longStrings[this.nextLong]
    return span?.start === cursor.position ? span : undefined
  }

  private isTurnOver(): boolean {
    const { position } = this.cursor
    if (++this.values < turnValues && position < this.turnEnd) return false
    this.values = 0
    this.turnEnd = position + this.pieceBytes
    return true
  }
}
