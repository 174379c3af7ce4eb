import { isUtf8 } from 'node:buffer'
import { checkJsonBounds, type JsonBounds, jsonDepthMax } from './json-bounds.ts'
import { hasBytesAt } from './json-bytes.ts'
import { JsonCursor } from './json-cursor.ts'
import { JsonError } from './json-error.ts'
import { cutLongStrings, restoreStrings, type StringSpan } from './json-long-strings.ts'

export { JsonError } from './json-error.ts'

/** Any value that JSON can spell. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject

/**
 * A parsed object. A member named `__proto__` is an own property like any other and changes no prototype; copy objects by
 * spreading, because `Object.assign` and `target[key] = value` would call the setter of that name.
 */
export interface JsonObject {
  [key: string]: JsonValue
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** How far into invalid input the place of a fault is searched: enough for people, nothing for attackers. */
const faultSearchBytesMax = 1_048_576

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Parses one JSON text, bounded in depth and number of nodes. Of members with the same name the last one counts, as
 * everywhere in JavaScript; where that matters, see findDuplicateKey.
 * @throws JsonError whose position counts UTF-16 units.
 */
export function parseJson(text: string, bounds: JsonBounds = {}): JsonValue {
  const bytes = Buffer.from(text)
  try {
    checkBounds(bytes, bounds)
    return parseStrictly(text, bytes, bounds)
  } catch (error) {
    if (!(error instanceof JsonError) || error.position === null) throw error
    throw new JsonError(error.reason, bytes.toString('utf8', 0, error.position).length)
  }
}

/**
 * Parses bytes as strict UTF-8 JSON without a byte order mark, bounded as parseJson is.
 * @throws JsonError whose position counts bytes.
 */
export function parseJsonBytes(bytes: Buffer, bounds: JsonBounds = {}): JsonValue {
  refuseMark(bytes)
  if (!isUtf8(bytes)) throw new JsonError('invalid UTF-8', null)
  const { text, strings } = cutLongStrings(bytes, checkBounds(bytes, bounds))
  return restoreStrings(parseStrictly(text, bytes, bounds), strings)
}

/** @throws JsonError for a byte order mark */
export function refuseMark(bytes: Buffer): void {
  if (hasBytesAt(bytes, 0, byteOrderMark)) throw new JsonError('byte order mark', 0)
}

/** The string of one spelling, quotes included. @throws SyntaxError */
export function readJsonString(spelled: string): string {
  return JSON.parse(spelled) as string
}

/** @throws JsonError */
export function refuseLength(bytes: Buffer, { lengthMax = Number.POSITIVE_INFINITY }: JsonBounds): void {
  if (bytes.length > lengthMax) throw new JsonError('too long', null)
}

function checkBounds(bytes: Buffer, bounds: JsonBounds): readonly StringSpan[] {
  refuseLength(bytes, bounds)
  return checkJsonBounds(bytes, bounds)
}

/** `text` is valid exactly if `bytes` are, in which a fault is looked for. */
function parseStrictly(text: string, bytes: Buffer, { depthMax = jsonDepthMax }: JsonBounds): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    // The message of the thrown SyntaxError quotes the input, so it must not travel.
    throw findFault(bytes, depthMax)
  }
}

/** Where the strict reader stops in bytes that are known to be invalid. */
export function findFault(bytes: Buffer, depthMax: number): JsonError {
  const head = bytes.subarray(0, faultSearchBytesMax)
  const cursor = new JsonCursor(head, { start: 0, end: head.length, depthMax })
  cursor.skipValue()
  cursor.finish()
  const isBeyond = head.length < bytes.length && cursor.position >= head.length
  if (cursor.fault === null || isBeyond) return new JsonError('invalid', null)
  return new JsonError(cursor.fault, cursor.position)
}
