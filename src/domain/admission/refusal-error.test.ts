import { describe, expect, it } from 'vitest'
import { invalidApiKey } from '../../core/invalid-api-key.ts'
import { refusalError } from './refusal-error.ts'
import type { Refusal } from './types.ts'

const refusal: Refusal = {
  admitted: false,
  reason: 'insufficient_balance',
  neededNano: 300_000_000n,
  availableNano: 120_000_000n,
  limit: 'unlimited',
  retryAfterMs: 0,
  rates: null,
  balances: null,
}
const request = {
  model: 'example/model',
  modelRates: { requestsPerMinute: 60, tokensPerMinute: 60, requestsPerDay: 60 },
  errorBudget: { user: '', failed: 50, unsupported: 200, windowMs: 30_000 },
  nowMs: 0,
}
const errorOf = (change: Partial<Refusal>) => refusalError({ ...refusal, ...change }, request)

describe('a refusal tells', () => {
  it('how many failures were allowed, and how long to wait', () => {
    const error = errorOf({ reason: 'error_budget', limit: 50, retryAfterMs: 12_001 })
    expect([error.status, error.code]).toEqual([429, 'error_budget_exhausted'])
    expect(error.options).toMatchObject({
      retryAfterSeconds: 13,
      facts: { allowed: 50, windowSeconds: 30 },
      failures: { remaining: 0, resetsAtMs: 12_001 },
    })
  })

  it('what the balance has, what the request may cost, and the mend', () => {
    const error = errorOf({})
    expect([error.status, error.code]).toEqual([402, 'insufficient_balance'])
    expect(error.message).toBe(
      'Your balance has $0.12 available and this request may cost up to $0.30: add credit or lower max_tokens.',
    )
    expect(errorOf({ availableNano: -20_000_000n }).message).toContain('has -$0.02 available')
    expect(errorOf({ neededNano: 12_000_000_001n }).message).toContain('up to $12.000000001:')
  })

  it('what the key’s limit has left', () => {
    const error = errorOf({ reason: 'key_limit_exceeded' })
    expect([error.status, error.code]).toEqual([402, 'key_limit_exceeded'])
    expect(error.message).toContain('has $0.12 left and this request may cost up to $0.30')
  })

  it.each([
    ['rate_limit_requests', 'Too many requests to example/model: at most 60 per minute. Try again in 2 seconds.'],
    ['rate_limit_tokens', 'at most 60 per minute'],
  ] as const)('the rate and the wait in whole seconds: %s', (reason, text) => {
    const error = errorOf({ reason, limit: 60, retryAfterMs: 1_001 })
    expect([error.status, error.code, error.options.retryAfterSeconds]).toEqual([429, 'rate_limit_exceeded', 2])
    expect(error.options.shouldRetry).toBeUndefined()
    expect(error.message).toContain(text)
  })

  it.each([
    ['rate_limit_requests', 'Too many requests with this API key: at most 7 per minute.'],
    ['rate_limit_tokens', 'Too many tokens with this API key: at most 7 per minute'],
    ['rate_limit_daily', 'Too many requests with this API key: at most 7 per day. The next day begins in 1440 minutes'],
  ] as const)('that the rate is the key’s own: %s', (reason, text) => {
    expect(errorOf({ reason, limit: 7, retryAfterMs: 1_000 }).message).toContain(text)
  })

  it.each([
    ['concurrency_account', 'This account may run at most 50 requests at a time'],
    ['concurrency_key', 'This API key may run at most 50 requests at a time'],
  ] as const)('how many may run at a time: %s', (reason, text) => {
    const error = errorOf({ reason, limit: 50, retryAfterMs: 1_000 })
    expect([error.status, error.code, error.options.retryAfterSeconds]).toEqual([429, 'concurrency_exceeded', 1])
    expect(error.message).toContain(text)
    expect(error.message).toContain('Try again in 1 second.')
  })

  it('clients not to repeat what a limit of 0 never lets pass', () => {
    const error = errorOf({ reason: 'rate_limit_requests', limit: 0, retryAfterMs: 60_000 })
    expect(error.options).toMatchObject({ retryAfterSeconds: 60, shouldRetry: false })
    expect(error.message).toContain('Trying again does not help.')
  })

  it('nothing about why a key does not count', () => {
    const error = errorOf({ reason: 'invalid_api_key' })
    expect(error.status).toBe(401)
    expect(error.message).toBe(invalidApiKey().message)
  })
})
