/** Where calendar periods begin, in UTC and in milliseconds since the epoch. Every argument is such a time too. */
const dayMs = 86_400_000

/** 1970-01-01 was a Thursday: weeks that begin on Monday begin three days before it. */
const mondayOffsetMs = 3 * dayMs

export function utcDayStart(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs
}

/** Weeks begin on Monday. */
export function utcWeekStart(atMs: number): number {
  const weekMs = 7 * dayMs
  return Math.floor((atMs + mondayOffsetMs) / weekMs) * weekMs - mondayOffsetMs
}

export function utcMonthStart(atMs: number): number {
  const date = new Date(atMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}
