import { jsonByte } from './json-bytes.ts'
import { JsonError } from './json-error.ts'
import { afterSpace, afterValue } from './json-scan.ts'

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
  try {
    return scanElements(bytes.subarray(0, end), start, depthMax)
  } catch (error) {
    if (error instanceof JsonError) return []
    throw error
  }
}

function scanElements(bytes: Buffer, start: number, depthMax: number): readonly JsonSpan[] {
  const levels = { deepest: 1, depthMax }
  const spans: JsonSpan[] = []
  const open = afterSpace(bytes, start)
  if (bytes[open] !== jsonByte.openBracket) return []
  let at = afterSpace(bytes, open + 1)
  if (bytes[at] === jsonByte.closeBracket) return []
  for (;;) {
    const end = afterValue(bytes, at, levels)
    spans.push({ start: at, end })
    at = afterSpace(bytes, end)
    if (bytes[at] === jsonByte.closeBracket) return spans
    if (bytes[at] !== jsonByte.comma) return []
    at = afterSpace(bytes, at + 1)
  }
}
