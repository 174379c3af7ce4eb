import { inTurns, type Steps, turnBytes } from './turns.ts'

/** The pieces one after the other, as new bytes: at once where they are few, else in several turns of the event loop. */
export async function joinBytes(pieces: readonly Buffer[], signal?: AbortSignal): Promise<Buffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return length <= turnBytes ? Buffer.concat(pieces, length) : inTurns(copyAll(pieces, length), signal)
}

function* copyAll(pieces: readonly Buffer[], length: number): Steps<Buffer> {
  const whole = Buffer.allocUnsafe(length)
  let written = 0
  let turnEnd = turnBytes
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      if (written === turnEnd) {
        yield
        turnEnd += turnBytes
      }
      const copied = piece.copy(whole, written, at, at + turnEnd - written)
      at += copied
      written += copied
    }
  }
  return whole
}
