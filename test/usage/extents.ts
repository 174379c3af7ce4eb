import type { Extent } from './generate-rows.ts'

const lastDay = 20_760

/** A store as `npm test` makes it. */
export const million: Extent = { rows: 1_000_000, days: 30, accounts: 200, keys: 500, models: 20, lastDay }

/** A quarter of a year with six requests a second, day and night. */
export const fiftyMillion: Extent = { rows: 50_000_000, days: 90, accounts: 1_000, keys: 2_000, models: 40, lastDay }
