import { rateHeaders } from '../../openapi/headers.ts'

/** Headers of this surface's answers, in words (venice.md §2.3). */

export const rates = rateHeaders('Unix time in milliseconds at which the bucket is full again.')

/** The error budget: failures that are left, and when all of them are there again. */
export const budgetHeaders = {
  'x-ratelimit-remaining': 'How many requests may still fail in this window.',
  'x-ratelimit-resets': 'Unix time in milliseconds at which the window ends.',
}

/** On what is paid: what its admission read. */
export const standingHeaders = {
  ...rates,
  'x-ratelimit-type': 'Whose rate ends first: `user` is the account’s, `api_key` the key’s own.',
  'x-venice-balance-usd': 'Dollars that the account had before.',
  'x-venice-balance-diem': 'What was left of the day’s DIEM; not there when there was nothing.',
  'x-balance-remaining': 'The dollars once more, with six decimals.',
}
