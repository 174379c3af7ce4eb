import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatDuration, rateHeaders } from './rate-headers.ts'

const view = {
  limitRequests: 50,
  remainingRequests: 49,
  resetRequestsMs: 1_200,
  limitTokens: 750_000,
  remainingTokens: 0,
  resetTokensMs: 60_000,
}

describe('the rate headers', () => {
  it('show limit, rest and time until full of requests and tokens', () => {
    expect(rateHeaders(view)).toEqual([
      ['x-ratelimit-limit-requests', '50'],
      ['x-ratelimit-remaining-requests', '49'],
      ['x-ratelimit-reset-requests', '1.2s'],
      ['x-ratelimit-limit-tokens', '750000'],
      ['x-ratelimit-remaining-tokens', '0'],
      ['x-ratelimit-reset-tokens', '1m0s'],
    ])
  })

  it('are left out for what is unlimited, but not for a limit of 0', () => {
    expect(rateHeaders({ ...view, limitRequests: 'unlimited' }).map(([name]) => name)).toEqual([
      'x-ratelimit-limit-tokens',
      'x-ratelimit-remaining-tokens',
      'x-ratelimit-reset-tokens',
    ])
    expect(rateHeaders({ ...view, limitTokens: 0 })[3]).toEqual(['x-ratelimit-limit-tokens', '0'])
  })
})

describe('a duration', () => {
  it.each([
    [0, '0s'],
    [20, '20ms'],
    [1_000, '1s'],
    [8_640, '8.64s'],
    [59_999, '59.999s'],
    [360_000, '6m0s'],
    [86_400, '1m26.4s'],
    [3_630_000, '1h0m30s'],
  ])('of %i ms reads %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text)
  })

  it('says exactly what it was made from', () => {
    const unitMs = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 }
    fc.assert(
      fc.property(fc.nat({ max: 100_000_000 }), durationMs => {
        const parts = [...formatDuration(durationMs).matchAll(/([\d.]+)(ms|h|m|s)/g)]
        const sum = parts.reduce(
          (total, [, count, unit]) => total + Number(count) * unitMs[unit as keyof typeof unitMs],
          0,
        )
        expect(Math.round(sum)).toBe(durationMs)
      }),
    )
  })
})
