const capacityMin = 1_024

/**
 * A line that goes on over chunks. Its pieces are copied, because a thousand one-byte views would keep a thousand chunks
 * alive; the room doubles, so the copying stays linear.
 */
export class SsePartialLine {
  private room: Buffer | null = null
  private used = 0

  get length(): number {
    return this.used
  }

  append(bytes: Buffer, from: number, end: number): void {
    const needed = this.used + end - from
    if (this.room === null || this.room.length < needed) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * (this.room?.length ?? 0), capacityMin))
      this.room?.copy(larger, 0, 0, this.used)
      this.room = larger
    }
    bytes.copy(this.room, this.used, from, end)
    this.used = needed
  }

  /** The line so far, which belongs to the taker; the next line begins in new room. */
  take(): Buffer {
    const line = this.room?.subarray(0, this.used) ?? Buffer.alloc(0)
    this.room = null
    this.used = 0
    return line
  }
}
