import { JsonCursor } from './json-cursor.ts'

export interface JsonSpan {
  /** The first byte of the value. */
  readonly start: number
  /** After its last byte; white space is not part of it. */
  readonly end: number
}

/**
 * The elements of the JSON array in `bytes[start, end)`, in one pass and without copies. The array must be known as valid
 * JSON; of anything else nothing is found.
 */
export function elementSpans(bytes: Buffer, { start, end }: JsonSpan, depthMax: number): readonly JsonSpan[] {
  const cursor = new JsonCursor(bytes, { start, end, depthMax })
  const spans: JsonSpan[] = []
  cursor.peek()
  cursor.open()
  for (let first = true; cursor.nextElement(first); first = false) {
    cursor.peek()
    const from = cursor.position
    cursor.skipValue()
    spans.push({ start: from, end: cursor.position })
  }
  return cursor.fault === null ? spans : []
}
