export interface WorkerPlace {
  /** Counted from 1. */
  readonly place: number
  /** How many workers there are. */
  readonly count: number
}

/**
 * The share of one worker in what all of them may take together: equal parts, the remainder to the first ones. Where there
 * is less than one for each, each has one all the same, because a worker cannot send its callers to another.
 */
export function sharePlaces(total: number, { place, count }: WorkerPlace): number {
  return Math.max(1, Math.floor(total / count) + (place <= total % count ? 1 : 0))
}
