import type { RateLimits } from '../domain/limits/types.ts'

/** How often an account may look something up outside of a conversation: searches and pages together (venice.md §5.2). */
export const lookUpRates: RateLimits = {
  requestsPerMinute: 20,
  tokensPerMinute: 'unlimited',
  requestsPerDay: 'unlimited',
}
