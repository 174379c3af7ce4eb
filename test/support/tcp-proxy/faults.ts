/** The way of bytes through the proxy. */
export type Direction = 'toServer' | 'toClient'

/** What is wrong with the network now. All connections read it at each chunk. */
export interface Faults {
  stalled: boolean
  delayMs: number
  cutPoint: CutPoint | undefined
}

/**
 * Where a connection is reset: after so many more bytes in one direction, counted over all connections, or right before a
 * text. It strikes once.
 */
export interface CutPoint {
  readonly direction: Direction
  readonly beforeText: string | undefined
  bytesLeft: number
}

export function noFaults(): Faults {
  return { stalled: false, delayMs: 0, cutPoint: undefined }
}

/** How many bytes of the chunk still pass; undefined when the connection lives on. Counts the chunk. */
export function bytesBeforeCut(point: CutPoint, chunk: Buffer): number | undefined {
  if (point.beforeText !== undefined) {
    const place = chunk.indexOf(point.beforeText)
    return place < 0 ? undefined : place
  }
  if (chunk.length > point.bytesLeft || point.bytesLeft === 0) return point.bytesLeft
  point.bytesLeft -= chunk.length
  return point.bytesLeft === 0 ? chunk.length : undefined
}
