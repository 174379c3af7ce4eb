import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../core/gateway-error.ts'
import { readClaim } from './read-claim.ts'
import type { IdempotencyClaim } from './types.ts'

function errorOf(claim: IdempotencyClaim): GatewayError {
  try {
    readClaim(claim)
  } catch (error) {
    if (error instanceof GatewayError) return error
  }
  throw new Error('no GatewayError was thrown')
}

describe('a claimed idempotency key', () => {
  it('lets a new request run', () => {
    expect(readClaim({ state: 'new' })).toBeNull()
  })

  it('gives the first answer again when there is one', () => {
    const answer = { status: 200, contentType: 'application/json', body: Buffer.from('{}') }
    expect(readClaim({ state: 'done', requestId: 'req_1', answer })).toBe(answer)
  })

  it('answers 409 and a second’s wait while the first request runs', () => {
    const error = errorOf({ state: 'running' })
    expect([error.status, error.code, error.options.retryAfterSeconds]).toEqual([409, 'idempotency_in_progress', 1])
  })

  it('answers 422 to another body under the same key', () => {
    const error = errorOf({ state: 'reused' })
    expect([error.status, error.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('answers 409 with the request’s id, not to be retried, when the answer cannot be replayed', () => {
    const error = errorOf({ state: 'done', requestId: 'req_7', answer: null })
    expect([error.status, error.code, error.options.shouldRetry]).toEqual([409, 'not_replayable', false])
    expect(error.options.details).toEqual({ request_id: 'req_7' })
    expect(error.message).toContain('req_7')
  })

  it('answers 429 when the account has no room for another key', () => {
    const error = errorOf({ state: 'full' })
    expect([error.status, error.code, error.options.retryAfterSeconds]).toEqual([429, 'rate_limit_exceeded', 60])
  })
})
