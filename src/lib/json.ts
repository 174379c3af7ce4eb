import { isUtf8 } from 'node:buffer'
import { checkJsonBounds, type JsonBounds, jsonDepthMax } from './json-bounds.ts'
import { JsonCursor } from './json-cursor.ts'
import { JsonError } from './json-error.ts'

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
  checkJsonBounds(text, bounds)
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    // The message of the thrown SyntaxError quotes the input; it must not travel.
    throw findTextFault(text, bounds)
  }
}

/**
 * Parses bytes as strict UTF-8 JSON without a byte order mark, bounded as parseJson is.
 * @throws JsonError whose position counts bytes.
 */
export function parseJsonBytes(bytes: Buffer, bounds: JsonBounds = {}): JsonValue {
  if (bytes.length > (bounds.lengthMax ?? Number.POSITIVE_INFINITY)) throw new JsonError('too long', null)
  if (bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)) throw new JsonError('byte order mark', 0)
  if (!isUtf8(bytes)) throw new JsonError('invalid UTF-8', null)
  const text = bytes.toString('utf8')
  checkJsonBounds(text, bounds)
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    throw findFault(bytes.subarray(0, faultSearchBytesMax), { whole: bytes.length <= faultSearchBytesMax, bounds })
  }
}

function findTextFault(text: string, bounds: JsonBounds): JsonError {
  const head = Buffer.from(text.slice(0, faultSearchBytesMax))
  const fault = findFault(head, { whole: text.length <= faultSearchBytesMax, bounds })
  const position = fault.position === null ? null : head.toString('utf8', 0, fault.position).length
  return new JsonError(fault.reason, position)
}

/** Where the strict reader stops in the head of a text that is known to be invalid. */
function findFault(head: Buffer, known: { whole: boolean; bounds: JsonBounds }): JsonError {
  const cursor = new JsonCursor(head, { start: 0, end: head.length, depthMax: known.bounds.depthMax ?? jsonDepthMax })
  cursor.skipValue()
  cursor.finish()
  const beyond = !known.whole && cursor.position >= head.length
  return cursor.fault === null || beyond ? new JsonError('invalid', null) : new JsonError(cursor.fault, cursor.position)
}
