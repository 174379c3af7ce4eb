import { GatewayError } from '../../core/gateway-error.ts'
import type { IdempotencyClaim, ReplayableAnswer } from './types.ts'

/** Official clients try again after this by themselves, which is what a request that still runs needs. */
const runningRetrySeconds = 1

/** Keys are freed a day after their request at the earliest: asking again soon is pointless, asking often is harmful. */
const fullRetrySeconds = 60

/**
 * What a claim means for the request that made it: null to run it, or the first answer to replay (reliability.md §6.5).
 * @throws GatewayError idempotency_in_progress, idempotency_key_reused, not_replayable, rate_limit_exceeded
 */
export function readClaim(claim: IdempotencyClaim): ReplayableAnswer | null {
  switch (claim.state) {
    case 'new':
      return null
    case 'done':
      if (claim.answer !== null) return claim.answer
      throw notReplayable(claim.requestId)
    case 'running':
      throw new GatewayError(
        'idempotency_in_progress',
        'A request with this `Idempotency-Key` is still running. Try again in a second to get its answer.',
        { param: 'Idempotency-Key', retryAfterSeconds: runningRetrySeconds },
      )
    case 'reused':
      throw new GatewayError(
        'idempotency_key_reused',
        'This `Idempotency-Key` was used for a request with another body. Use a new key for a new request.',
        { param: 'Idempotency-Key' },
      )
    case 'full':
      throw new GatewayError(
        'rate_limit_exceeded',
        'This account has too many idempotency keys in use. Send fewer requests with a key, or wait until old keys expire.',
        { param: 'Idempotency-Key', retryAfterSeconds: fullRetrySeconds },
      )
  }
}

/** Its request may have been charged: a client that repeats it by itself would be refused for ever. */
function notReplayable(requestId: string): GatewayError {
  return new GatewayError(
    'not_replayable',
    `The request with this \`Idempotency-Key\` ended, but its answer cannot be sent again. It was ${requestId}; ` +
      'it is not run or charged a second time. Use a new key to run it again.',
    { param: 'Idempotency-Key', shouldRetry: false, details: { request_id: requestId } },
  )
}
