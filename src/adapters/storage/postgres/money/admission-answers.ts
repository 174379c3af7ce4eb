import type { Balances } from '../../../../core/currency.ts'
import { viewRates } from '../../../../domain/admission/decide-rates.ts'
import type { AdmissionDecision, AdmissionRequest, RefusalReason } from '../../../../domain/admission/types.ts'
import type { BucketState, DayCount, Limit } from '../../../../domain/limits/types.ts'
import { decodeParts } from '../../sql/texts/currency-parts.ts'

/** What `rialto_admit` returns: a key's rates under the position it was given, and the decisions in their order. */
export interface AdmissionAnswers {
  readonly keys: readonly (readonly [requestsPerMinute: number | null, tokensPerMinute: number | null])[]
  readonly answers: readonly AdmissionAnswer[]
}

type Bucket = readonly [level: number | null, atMs: number | null]
type Day = readonly [day: number | null, requests: number | null]

type AdmissionAnswer = readonly [
  refusal: RefusalReason | null,
  holdNano: string | null,
  ...modelRequests: Bucket,
  ...modelTokens: Bucket,
  ...keyRequests: Bucket,
  ...keyTokens: Bucket,
  outputLimit: number | null,
  tokensTaken: number | null,
  keyPeriodStartMs: number | null,
  keySpentNano: string | null,
  availableNano: string | null,
  limit: number | null,
  retryAfterMs: number | null,
  keySpentDiemNano: string | null,
  parts: string | null,
  balanceNano: string | null,
  otherBalances: string | null,
  ...modelDay: Day,
  ...keyDay: Day,
]

/** The decision as the port promises it; what callers are shown of their rates is worked out here, from the buckets. */
export function decodeAdmission(
  answer: AdmissionAnswer,
  request: AdmissionRequest,
  [keyRequestsPerMinute, keyTokensPerMinute]: AdmissionAnswers['keys'][number],
): AdmissionDecision {
  const [refusal, holdNano] = answer
  const { requestsPerMinute, tokensPerMinute } = request.modelRates
  const modelRequests = bucketOf(answer[2], answer[3])
  const modelTokens = bucketOf(answer[4], answer[5])
  const keyRequests = bucketOf(answer[6], answer[7])
  const keyTokens = bucketOf(answer[8], answer[9])
  const rates = viewRates({
    modelRequests: { limit: requestsPerMinute, bucket: modelRequests },
    modelTokens: { limit: tokensPerMinute, bucket: modelTokens },
    keyRequests: { limit: fromDbLimit(keyRequestsPerMinute), bucket: keyRequests },
    keyTokens: { limit: fromDbLimit(keyTokensPerMinute), bucket: keyTokens },
  })
  const balances = balancesOf(answer[19], answer[20])
  if (refusal !== null)
    return {
      admitted: false,
      reason: refusal,
      neededNano: BigInt(holdNano ?? 0),
      availableNano: BigInt(answer[14] ?? 0),
      limit: fromDbLimit(answer[15]),
      retryAfterMs: answer[16] ?? 0,
      rates: refusal === 'invalid_api_key' ? null : rates,
      balances: refusal === 'invalid_api_key' ? null : balances,
    }
  return {
    admitted: true,
    holdNano: BigInt(holdNano ?? 0),
    outputLimit: answer[10] ?? 0,
    tokensTaken: answer[11] ?? 0,
    keyPeriodStartMs: answer[12] ?? 0,
    keySpentNano: BigInt(answer[13] ?? 0),
    keySpentDiemNano: BigInt(answer[17] ?? 0),
    parts: decodeParts(answer[18]),
    modelDay: dayOf(answer[21], answer[22]),
    keyDay: dayOf(answer[23], answer[24]),
    ...{ modelRequests, modelTokens, keyRequests, keyTokens, rates, balances },
  }
}

function balancesOf(usdNano: string | null, others: string | null): Balances {
  const { diemNano = 0n, earnedNano = 0n, bundledNano = 0n } = decodeParts(others) ?? {}
  return { usdNano: BigInt(usdNano ?? 0), diemNano, earnedNano, bundledNano }
}

function bucketOf(level: number | null, atMs: number | null): BucketState | null {
  return level === null || atMs === null ? null : { level, atMs }
}

function dayOf(day: number | null, requests: number | null): DayCount | null {
  return day === null || requests === null ? null : { day, requests }
}

function fromDbLimit(limit: number | null): Limit {
  return limit ?? 'unlimited'
}
