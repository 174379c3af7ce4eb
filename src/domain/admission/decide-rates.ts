import { millisecondsUntil, refill, take } from '../../lib/token-bucket.ts'
import type { BucketState, Limit, RateView } from '../limits/types.ts'
import type { AdmissionRequest, AdmissionState, RefusalReason } from './types.ts'

interface RateShortfall {
  readonly reason: Extract<RefusalReason, 'rate_limit_requests' | 'rate_limit_tokens'>
  readonly limit: Limit
  /** Infinity when the limit is 0. */
  readonly waitMs: number
}

export interface RateDecision {
  /** The first rate that is short, or null when all of them pass. */
  readonly shortfall: RateShortfall | null
  /** The buckets with this request taken out; to be used only when the request is admitted as a whole. */
  readonly after: Record<BucketName, BucketState | null>
  readonly viewAfter: RateView
  /** What stands when the request is refused, for whatever reason. */
  readonly viewUntouched: RateView
}

type BucketName = 'modelRequests' | 'modelTokens' | 'keyRequests' | 'keyTokens'

interface TestedBucket {
  readonly limit: Limit
  readonly untouched: BucketState | null
  readonly after: BucketState | null
  readonly waitMs: number
}

/** Tests requests before tokens, and the account's buckets of the model before the key's own. `tokens` is an upper bound. */
export function decideRates(state: AdmissionState, request: AdmissionRequest, tokens: number): RateDecision {
  const { key } = state
  const { nowMs } = request
  const tested = {
    modelRequests: testBucket(state.modelRequests, request.modelRates.requestsPerMinute, { amount: 1, nowMs }),
    modelTokens: testBucket(state.modelTokens, request.modelRates.tokensPerMinute, { amount: tokens, nowMs }),
    keyRequests: testBucket(key.requests, key.rates.requestsPerMinute, { amount: 1, nowMs }),
    keyTokens: testBucket(key.tokens, key.rates.tokensPerMinute, { amount: tokens, nowMs }),
  }
  return {
    shortfall:
      shortfallOf('rate_limit_requests', tested.modelRequests) ??
      shortfallOf('rate_limit_tokens', tested.modelTokens) ??
      shortfallOf('rate_limit_requests', tested.keyRequests) ??
      shortfallOf('rate_limit_tokens', tested.keyTokens),
    after: {
      modelRequests: tested.modelRequests.after,
      modelTokens: tested.modelTokens.after,
      keyRequests: tested.keyRequests.after,
      keyTokens: tested.keyTokens.after,
    },
    viewAfter: viewOf(tested, 'after'),
    viewUntouched: viewOf(tested, 'untouched'),
  }
}

/**
 * An amount above the capacity counts as the capacity, so that one big request can pass a full bucket instead of never;
 * but at least one token is asked for, so that a limit of 0 passes nothing.
 */
function testBucket(
  bucket: BucketState | null,
  limit: Limit,
  asked: { readonly amount: number; readonly nowMs: number },
): TestedBucket {
  if (limit === 'unlimited') return { limit, untouched: null, after: null, waitMs: 0 }
  const amount = Math.max(Math.min(asked.amount, limit), 1)
  const untouched = refill(bucket, limit, asked.nowMs)
  const after = take(untouched, amount)
  const waitMs = after === null ? millisecondsUntil(untouched, amount, limit) : 0
  return { limit, untouched, after: after ?? untouched, waitMs }
}

function shortfallOf(reason: RateShortfall['reason'], tested: TestedBucket): RateShortfall | null {
  const { limit, waitMs } = tested
  return waitMs === 0 ? null : { reason, limit, waitMs }
}

function viewOf(tested: Record<BucketName, TestedBucket>, moment: 'after' | 'untouched'): RateView {
  const requests = tighter(tested.modelRequests, tested.keyRequests, moment)
  const tokens = tighter(tested.modelTokens, tested.keyTokens, moment)
  return {
    limitRequests: requests.limit,
    remainingRequests: remainingIn(requests[moment]),
    resetRequestsMs: resetOf(requests, moment),
    limitTokens: tokens.limit,
    remainingTokens: remainingIn(tokens[moment]),
    resetTokensMs: resetOf(tokens, moment),
  }
}

/** Callers are shown the bucket that will stop them first. */
function tighter(model: TestedBucket, key: TestedBucket, moment: 'after' | 'untouched'): TestedBucket {
  if (key.limit === 'unlimited') return model
  if (model.limit === 'unlimited') return key
  return remainingIn(key[moment]) < remainingIn(model[moment]) ? key : model
}

function remainingIn(bucket: BucketState | null): number {
  return bucket === null ? 0 : Math.floor(bucket.level)
}

function resetOf(tested: TestedBucket, moment: 'after' | 'untouched'): number {
  const bucket = tested[moment]
  if (bucket === null || tested.limit === 'unlimited' || tested.limit === 0) return 0
  return millisecondsUntil(bucket, tested.limit, tested.limit)
}
