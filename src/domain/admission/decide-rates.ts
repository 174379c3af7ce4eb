import { millisecondsUntil, refill, take } from '../../lib/token-bucket.ts'
import { utcDayStart } from '../../lib/utc-calendar.ts'
import type { BucketState, DayCount, Limit, RateView } from '../limits/types.ts'
import { type DayDecision, decideDay } from './decide-day.ts'
import type { AdmissionRequest, AdmissionState, RefusalReason } from './types.ts'

const dayMs = 86_400_000

interface RateShortfall {
  readonly reason: Extract<RefusalReason, 'rate_limit_requests' | 'rate_limit_tokens' | 'rate_limit_daily'>
  readonly limit: Limit
  /** Infinity when the limit is 0. */
  readonly waitMs: number
}

export interface RateDecision {
  /** The first rate that is short, or null when all of them pass. */
  readonly shortfall: RateShortfall | null
  /** The buckets with this request taken out; to be used only when the request is admitted as a whole. */
  readonly after: Record<BucketName, BucketState | null> & Record<'modelDay' | 'keyDay', DayCount | null>
  readonly viewAfter: RateView
  /** What stands when the request is refused, for whatever reason. */
  readonly viewUntouched: RateView
}

type BucketName = 'modelRequests' | 'modelTokens' | 'keyRequests' | 'keyTokens'

/** A bucket as a caller may be shown it: null without a limit. */
export interface ShownBucket {
  readonly limit: Limit
  readonly bucket: BucketState | null
}

interface TestedBucket {
  readonly limit: Limit
  readonly untouched: BucketState | null
  readonly after: BucketState | null
  readonly waitMs: number
}

/**
 * Tests the days, whose wait is the longest, then requests before tokens, and the account's rates of the model before
 * the key's own. `tokens` is an upper bound.
 */
export function decideRates(state: AdmissionState, request: AdmissionRequest, tokens: number): RateDecision {
  const { key } = state
  const { nowMs } = request
  const modelDay = decideDay(state.modelDay, request.modelRates.requestsPerDay, nowMs)
  const keyDay = decideDay(key.day, key.rates.requestsPerDay, nowMs)
  const tested = {
    modelRequests: testBucket(state.modelRequests, request.modelRates.requestsPerMinute, { amount: 1, nowMs }),
    modelTokens: testBucket(state.modelTokens, request.modelRates.tokensPerMinute, { amount: tokens, nowMs }),
    keyRequests: testBucket(key.requests, key.rates.requestsPerMinute, { amount: 1, nowMs }),
    keyTokens: testBucket(key.tokens, key.rates.tokensPerMinute, { amount: tokens, nowMs }),
  }
  return {
    shortfall:
      shortDay(modelDay, request.modelRates.requestsPerDay, nowMs) ??
      shortDay(keyDay, key.rates.requestsPerDay, nowMs) ??
      shortfallOf('rate_limit_requests', tested.modelRequests) ??
      shortfallOf('rate_limit_tokens', tested.modelTokens) ??
      shortfallOf('rate_limit_requests', tested.keyRequests) ??
      shortfallOf('rate_limit_tokens', tested.keyTokens),
    after: {
      modelRequests: tested.modelRequests.after,
      modelTokens: tested.modelTokens.after,
      modelDay: modelDay.after,
      keyRequests: tested.keyRequests.after,
      keyTokens: tested.keyTokens.after,
      keyDay: keyDay.after,
    },
    viewAfter: viewOf(tested, 'after'),
    viewUntouched: viewOf(tested, 'untouched'),
  }
}

function shortDay({ isShort }: DayDecision, limit: Limit, nowMs: number): RateShortfall | null {
  return isShort ? { reason: 'rate_limit_daily', limit, waitMs: utcDayStart(nowMs) + dayMs - nowMs } : null
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
  const shown = ({ limit, [moment]: bucket }: TestedBucket): ShownBucket => ({ limit, bucket })
  return viewRates({
    modelRequests: shown(tested.modelRequests),
    modelTokens: shown(tested.modelTokens),
    keyRequests: shown(tested.keyRequests),
    keyTokens: shown(tested.keyTokens),
  })
}

/** What callers are told of the account's buckets of the model and of the key's own. */
export function viewRates(buckets: Readonly<Record<BucketName, ShownBucket>>): RateView {
  const requests = tighter(buckets.modelRequests, buckets.keyRequests)
  const tokens = tighter(buckets.modelTokens, buckets.keyTokens)
  return {
    limitRequests: requests.limit,
    remainingRequests: remainingIn(requests.bucket),
    resetRequestsMs: resetOf(requests),
    limitTokens: tokens.limit,
    remainingTokens: remainingIn(tokens.bucket),
    resetTokensMs: resetOf(tokens),
  }
}

/** Callers are shown the bucket that will stop them first. */
function tighter(model: ShownBucket, key: ShownBucket): ShownBucket {
  if (key.limit === 'unlimited') return model
  if (model.limit === 'unlimited') return key
  return remainingIn(key.bucket) < remainingIn(model.bucket) ? key : model
}

function remainingIn(bucket: BucketState | null): number {
  return bucket === null ? 0 : Math.floor(bucket.level)
}

function resetOf({ bucket, limit }: ShownBucket): number {
  if (bucket === null || limit === 'unlimited' || limit === 0) return 0
  return millisecondsUntil(bucket, limit, limit)
}
