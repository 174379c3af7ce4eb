import { jsonByte } from './json-bytes.ts'
import { JsonError } from './json-error.ts'
import { longStringBytesMin, longStringsMax, type StringSpan } from './json-long-strings.ts'
import { endOfString } from './json-string.ts'

/** How deep JSON may nest: real requests and tool schemas stay below 20. */
export const jsonDepthMax = 64

/** Objects, arrays and members in one JSON text: 35 MiB of `[],[],…` must not become a gigabyte of arrays. */
const jsonNodesMax = 200_000

/** Commas: 35 MiB of `1,1,…` would be built for the better part of a second, and nothing else runs meanwhile. */
const jsonCommasMax = 1_000_000

export interface JsonBounds {
  /** Levels of objects and arrays, the outermost being 1. */
  readonly depthMax?: number
  /** Objects, arrays and object members together. */
  readonly nodesMax?: number
  /** Bytes of UTF-8. Unbounded when absent, because whoever reads a body bounds it while it arrives. */
  readonly lengthMax?: number
}

/**
 * Refuses JSON whose parsed form would be too deep or too large, before anything is built from it. The bytes may be
 * invalid: then the counts hold up to their first fault, which is as far as a parser gets.
 * @returns the long strings that were met on the way
 * @throws JsonError whose position counts bytes.
 */
export function checkJsonBounds(bytes: Buffer, bounds: JsonBounds): StringSpan[] {
  const long: StringSpan[] = []
  const depthMax = bounds.depthMax ?? jsonDepthMax
  const nodesMax = bounds.nodesMax ?? jsonNodesMax
  let depth = 0
  let nodes = 0
  let commas = 0
  let at = 0
  while (at < bytes.length) {
    const byte = bytes[at++]
    if (byte === jsonByte.quote) {
      const start = at - 1
      at = endOfString(bytes, at)
      if (at < 0) return long
      if (at - start >= longStringBytesMin && long.length < longStringsMax) long.push({ start, end: at })
    } else if (byte === jsonByte.openBrace || byte === jsonByte.openBracket) {
      if (++depth > depthMax) throw new JsonError('nested too deeply', at - 1)
      if (++nodes > nodesMax) throw new JsonError('too many members', at - 1)
    } else if (byte === jsonByte.closeBrace || byte === jsonByte.closeBracket) depth--
    else if (byte === jsonByte.comma && ++commas > jsonCommasMax) throw new JsonError('too many members', at - 1)
    else if (byte === jsonByte.colon && ++nodes > nodesMax) throw new JsonError('too many members', at - 1)
  }
  return long
}
