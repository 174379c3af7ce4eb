import { jsonByte } from './json-bytes.ts'

/** Bytes read one by one before the native search is asked: names and small values end sooner. */
const strideMin = 24

/** Bytes read one by one at a time where escaped quotes are dense. */
const strideMax = 4_096

/** A native search that finds an escaped quote within so few bytes costs more than reading the bytes one by one. */
const denseBytes = 64

/**
 * After the quote that closes the string whose text begins at `from`. Linear whatever the string holds: the native search
 * only goes forward, and where it meets escaped quotes again and again the stretch that is read byte by byte doubles.
 * -1 when the string is not closed.
 */
export function endOfString(bytes: Buffer, from: number): number {
  const end = bytes.length
  let stride = strideMin
  let at = from
  while (at < end) {
    const stop = Math.min(at + stride, end)
    while (at < stop) {
      const byte = bytes[at]
      if (byte === jsonByte.quote) return at + 1
      at += byte === jsonByte.backslash ? 2 : 1
    }
    const close = at < end ? bytes.indexOf(jsonByte.quote, at) : -1
    if (close < 0) break
    if (!isEscaped(bytes, close, from)) return close + 1
    stride = close - at < denseBytes ? Math.min(stride * 2, strideMax) : strideMin
    at = close + 1
  }
  return -1
}

/** Whether an odd number of backslashes stands before `at`. Those before `from` are not counted. */
export function isEscaped(bytes: Buffer, at: number, from: number): boolean {
  let before = at - 1
  while (before >= from && bytes[before] === jsonByte.backslash) before--
  return (at - before) % 2 === 0
}
