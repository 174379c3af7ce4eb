import { jsonByte } from './json-bytes.ts'
import { JsonError } from './json-error.ts'
import { longStringBytesMin, longStringsMax, type StringSpan } from './json-long-strings.ts'
import { endOfString, isEscaped } from './json-string.ts'

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
export function checkJsonBounds(bytes: Buffer, bounds: JsonBounds): readonly StringSpan[] {
  const scan = new JsonBoundsScan(bytes, bounds)
  scan.advance(bytes.length)
  return scan.longStrings
}

/** The same check, for as much of the bytes at a time as its reader wants to look at. */
export class JsonBoundsScan {
  readonly longStrings: StringSpan[] = []
  private readonly bytes: Buffer
  private readonly depthMax: number
  private readonly nodesMax: number
  private position = 0
  private depth = 0
  private nodes = 0
  private commas = 0
  /** The opening quote of a string that goes on behind the position; -1 outside of strings. */
  private stringStart = -1

  constructor(bytes: Buffer, bounds: JsonBounds) {
    this.bytes = bytes
    this.depthMax = bounds.depthMax ?? jsonDepthMax
    this.nodesMax = bounds.nodesMax ?? jsonNodesMax
  }

  /** Reads on to `until`. @throws JsonError whose position counts bytes */
  advance(until: number): void {
    const base = this.position
    const bytes = base === 0 && until === this.bytes.length ? this.bytes : this.bytes.subarray(base, until)
    const { depthMax, nodesMax } = this
    let { depth, nodes, commas } = this
    let at = this.stringStart < 0 ? 0 : this.afterString(bytes, 0)
    while (at < bytes.length) {
      const byte = bytes[at++]
      if (byte === jsonByte.quote) {
        this.stringStart = base + at - 1
        at = this.afterString(bytes, at)
      } else if (byte === jsonByte.openBrace || byte === jsonByte.openBracket) {
        if (++depth > depthMax) throw new JsonError('nested too deeply', base + at - 1)
        if (++nodes > nodesMax) throw new JsonError('too many members', base + at - 1)
      } else if (byte === jsonByte.closeBrace || byte === jsonByte.closeBracket) depth--
      else if (byte === jsonByte.comma && ++commas > jsonCommasMax)
        throw new JsonError('too many members', base + at - 1)
      else if (byte === jsonByte.colon && ++nodes > nodesMax) throw new JsonError('too many members', base + at - 1)
    }
    this.depth = depth
    this.nodes = nodes
    this.commas = commas
    this.position = base + at
  }

  /** After the string that goes on at `from`; where it has to be read on when it does not end in these bytes. */
  private afterString(bytes: Buffer, from: number): number {
    const end = endOfString(bytes, from)
    if (end < 0) return bytes.length + (isEscaped(bytes, bytes.length, from) ? 1 : 0)
    const span = { start: this.stringStart, end: this.position + end }
    if (span.end - span.start >= longStringBytesMin && this.longStrings.length < longStringsMax)
      this.longStrings.push(span)
    this.stringStart = -1
    return end
  }
}
