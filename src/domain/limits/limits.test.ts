import { expect, it } from 'vitest'
import { createLimits, type RateTiers } from './limits.ts'

const tiers: RateTiers = {
  XS: { requestsPerMinute: 500, tokensPerMinute: 1_000_000, requestsPerDay: 'unlimited' },
  S: { requestsPerMinute: 75, tokensPerMinute: 750_000, requestsPerDay: 'unlimited' },
  M: { requestsPerMinute: 50, tokensPerMinute: 750_000, requestsPerDay: 'unlimited' },
  L: { requestsPerMinute: 20, tokensPerMinute: 'unlimited', requestsPerDay: 'unlimited' },
}

it('gives a model the rates of its tier', () => {
  const limits = createLimits(tiers)
  expect(limits.forModel({ tier: 'M' })).toEqual({
    requestsPerMinute: 50,
    tokensPerMinute: 750_000,
    requestsPerDay: 'unlimited',
  })
  expect(limits.forModel({ tier: 'L' })).toEqual({
    requestsPerMinute: 20,
    tokensPerMinute: 'unlimited',
    requestsPerDay: 'unlimited',
  })
})

it('changes all rates at once', () => {
  const limits = createLimits(tiers)
  limits.replace({ ...tiers, M: { requestsPerMinute: 0, tokensPerMinute: 0, requestsPerDay: 'unlimited' } })
  expect(limits.forModel({ tier: 'M' }).requestsPerMinute).toBe(0)
  expect(limits.forModel({ tier: 'S' }).requestsPerMinute).toBe(75)
})
