import type { Socket } from 'node:net'
import { bytesBeforeCut, type Direction, type Faults } from './faults.ts'

/** Bytes that wait in the proxy per direction of a connection. The sender is held back beyond. */
const waitingBytesMax = 256 * 1024

/** Time for the peer to read its last bytes: a reset may overtake what the kernel holds. */
const beforeResetMs = 20

interface Waiting {
  /** Undefined stands for the end of the stream. */
  readonly chunk: Buffer | undefined
  readonly dueAt: number
}

/** One direction of one connection: takes from one socket, waits as the faults say, and gives to the other. */
export class Flow {
  readonly #from: Socket
  readonly #to: Socket
  readonly #direction: Direction
  readonly #faults: Faults
  readonly #cut: () => void
  readonly #queue: Waiting[] = []
  #waitingBytes = 0
  #timer: NodeJS.Timeout | undefined
  #clogged = false
  #isOver = false

  constructor(ends: { from: Socket; to: Socket; cut: () => void }, direction: Direction, faults: Faults) {
    this.#from = ends.from
    this.#to = ends.to
    this.#cut = ends.cut
    this.#direction = direction
    this.#faults = faults
    ends.from.on('data', (chunk: Buffer) => this.#take(chunk))
    ends.from.on('end', () => this.#take(undefined))
    ends.to.on('drain', () => {
      this.#clogged = false
      this.move()
    })
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  /** Gives on what is due. To be called when a fault is healed. */
  move(): void {
    if (this.#isOver) return
    clearTimeout(this.#timer)
    while (this.#queue[0] !== undefined && this.#mayGive()) {
      const waitMs = this.#queue[0].dueAt - performance.now()
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.move(), waitMs)
        return
      }
      this.#give(this.#queue.shift()?.chunk)
    }
  }

  close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#queue.length = 0
  }

  #mayGive(): boolean {
    return !this.#faults.stalled && !this.#clogged && !this.#isOver && !this.#to.destroyed
  }

  #take(chunk: Buffer | undefined): void {
    this.#queue.push({ chunk, dueAt: performance.now() + this.#faults.delayMs })
    this.#waitingBytes += chunk?.length ?? 0
    if (this.#waitingBytes >= waitingBytesMax) this.#from.pause()
    this.move()
  }

  #give(chunk: Buffer | undefined): void {
    if (chunk === undefined) {
      this.#to.end()
      return
    }
    this.#waitingBytes -= chunk.length
    const point = this.#faults.cutPoint
    const passing = point?.direction === this.#direction ? bytesBeforeCut(point, chunk) : undefined
    if (passing !== undefined) {
      this.#faults.cutPoint = undefined
      this.#to.write(chunk.subarray(0, passing))
      this.#isOver = true
      this.#timer = setTimeout(this.#cut, passing === 0 ? 0 : beforeResetMs)
      return
    }
    this.#clogged = !this.#to.write(chunk)
    if (this.#waitingBytes < waitingBytesMax) this.#from.resume()
  }
}
