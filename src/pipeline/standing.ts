import type { Balances } from '../core/currency.ts'
import type { GatewayError } from '../core/gateway-error.ts'
import type { RateOwner, RateView } from '../core/rate-view.ts'
import { refusalError } from '../domain/admission/refusal-error.ts'
import type { Admission, AdmissionRequest, Refusal } from '../domain/admission/types.ts'
import type { RefusalLog } from '../domain/limits/refusal-log.ts'
import type { RefusedRate } from '../domain/limits/types.ts'

/** How a caller stood when its request was admitted, which it is told with the answer. */
export interface Standing {
  readonly rates: RateView
  readonly rateOwner: RateOwner
  /** What the account had before the request. */
  readonly balances: Balances
}

export function standingOf({ rates, balances }: Admission, request: AdmissionRequest): Standing {
  return { rates, rateOwner: rateOwnerOf(rates, request), balances }
}

const refusedRates: Readonly<Partial<Record<Refusal['reason'], RefusedRate>>> = {
  rate_limit_requests: 'requests',
  rate_limit_tokens: 'tokens',
  rate_limit_daily: 'daily',
}

/** The error of a refusal. What was short of the minute's or the day's rates stands in the account's list (venice.md §5.3). */
export function refuse(refusals: Pick<RefusalLog, 'note'>, refusal: Refusal, request: AdmissionRequest): GatewayError {
  const { rates, balances, reason } = refusal
  const rate = refusedRates[reason]
  const { accountId, keyId, model, nowMs: atMs } = request
  if (rate !== undefined) refusals.note({ accountId, keyId, model, rate, atMs })
  return refusalError(refusal, request).with({
    ...(rates === null ? {} : { rates, rateOwner: rateOwnerOf(rates, request) }),
    ...(balances === null ? {} : { balances }),
  })
}

/** Rates of the model that nobody else bounds are the account's. */
function rateOwnerOf({ limitRequests, limitTokens }: RateView, { modelRates }: AdmissionRequest): RateOwner {
  const isAccounts = limitRequests === modelRates.requestsPerMinute && limitTokens === modelRates.tokensPerMinute
  return isAccounts ? 'account' : 'key'
}
