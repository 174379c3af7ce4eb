import { jsonByte } from './json-bytes.ts'
import { JsonError } from './json-error.ts'

/** How deep JSON may nest: real requests and tool schemas stay below 20. */
export const jsonDepthMax = 64

/** Objects, arrays and members in one JSON text: 35 MiB of `[],[],…` must not become a gigabyte of arrays. */
export const jsonNodesMax = 200_000

export interface JsonBounds {
  /** Levels of objects and arrays, the outermost being 1. */
  readonly depthMax?: number
  /** Objects, arrays and object members together. */
  readonly nodesMax?: number
  /** UTF-16 units of text, or bytes. Unbounded when absent: the reader of the body bounds it before. */
  readonly lengthMax?: number
}

/**
 * Refuses text whose parsed form would be too deep or too large, before anything is built from it. The text may be
 * invalid: then the counts hold up to its first fault, which is as far as a parser gets.
 * @throws JsonError
 */
export function checkJsonBounds(text: string, bounds: JsonBounds): void {
  const depthMax = bounds.depthMax ?? jsonDepthMax
  const nodesMax = bounds.nodesMax ?? jsonNodesMax
  if (text.length > (bounds.lengthMax ?? Number.POSITIVE_INFINITY)) throw new JsonError('too long', null)
  // A node takes at least one character, so a short text cannot break the bounds and needs no look.
  if (text.length <= depthMax && text.length <= nodesMax) return
  let depth = 0
  let nodes = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === jsonByte.quote) {
      at = closingQuote(text, at)
      if (at < 0) return
    } else if (unit === jsonByte.openBrace || unit === jsonByte.openBracket) {
      if (++depth > depthMax) throw new JsonError('nested too deeply', at)
      if (++nodes > nodesMax) throw new JsonError('too many members', at)
    } else if (unit === jsonByte.closeBrace || unit === jsonByte.closeBracket) depth--
    else if (unit === jsonByte.colon && ++nodes > nodesMax) throw new JsonError('too many members', at)
  }
}

/** The quote that ends the string opened at `open`; -1 when it is never closed. */
function closingQuote(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let before = close - 1
    while (text.charCodeAt(before) === jsonByte.backslash) before--
    if ((close - before) % 2 === 1) return close
  }
  return -1
}
