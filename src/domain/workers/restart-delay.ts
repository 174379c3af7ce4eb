const delayMsMin = 100
const delayMsMax = 10_000

/** A worker that lived this long was well: the count of ends in a row begins anew. */
export const stableMs = 60_000

/** How long to wait before the next start, after so many ends in a row, at least one. */
export function restartDelayMs(endsInRow: number): number {
  return Math.min(delayMsMin * 2 ** (endsInRow - 1), delayMsMax)
}
