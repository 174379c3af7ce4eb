import { chargePerMillion } from '../../../../core/money.ts'
import type { AdmissionRequest } from '../../../../domain/admission/types.ts'
import type { Limit } from '../../../../domain/limits/types.ts'

/** What `rialto_admit` is given: its members are those of the type `rialto_admission_request`. */
export interface AskedAdmissions {
  readonly accounts: readonly string[]
  readonly keys: readonly string[]
  /** The account's position and the model. */
  readonly buckets: readonly (readonly [number, string])[]
  readonly requests: readonly AskedAdmission[]
}

type AskedAdmission = Positions & Readonly<Record<string, string | number | boolean | null>>

/** Places in the lists, from 1. */
interface Positions {
  readonly account: number
  readonly key: number
  readonly bucket: number
}

/** Names each account, key and bucket once, so that the function reads each of them once. */
export function askAdmissions(requests: readonly AdmissionRequest[]): AskedAdmissions {
  const accounts = createPositions()
  const keys = createPositions()
  const buckets = createPositions()
  const listed: (readonly [number, string])[] = []
  const asked = requests.map(request => {
    const account = accounts.of(request.accountId)
    const bucket = buckets.of(`${account} ${request.model}`)
    if (bucket > listed.length) listed.push([account, request.model])
    return toDbRequest(request, { account, key: keys.of(request.keyId), bucket })
  })
  return { accounts: accounts.names(), keys: keys.names(), buckets: listed, requests: asked }
}

/** @throws RangeError for quantities that the decision would not take (see decide-admission.ts). */
export function checkQuantities(request: AdmissionRequest): void {
  const { choices, outputLimit, promptTokensBound, nowMs, deadlineMs, fixedNano, overdraftNano } = request
  const counts = [choices, outputLimit, promptTokensBound, nowMs, deadlineMs]
  if (!counts.every(count => Number.isSafeInteger(count) && count >= 0) || choices === 0)
    throw new RangeError('quantities must be safe, non-negative integers, and one choice at least')
  if (fixedNano < 0n || overdraftNano < 0n) throw new RangeError('amounts must not be negative')
  chargePerMillion(choices * outputLimit, request.outputNanoPerMillion)
}

function toDbRequest(request: AdmissionRequest, positions: Positions): AskedAdmission {
  return {
    account: positions.account,
    key: positions.key,
    bucket: positions.bucket,
    hold_id: request.holdId,
    request_id: request.requestId,
    generation_id: request.generationId,
    model: request.model,
    surface: request.surface,
    stream: request.stream,
    price_version: request.priceVersion,
    process_id: request.processId,
    fixed_nano: request.fixedNano.toString(),
    output_nano_per_million: request.outputNanoPerMillion.toString(),
    choices: request.choices,
    output_limit: request.outputLimit,
    may_shrink: request.outputLimitMayShrink,
    prompt_tokens: request.promptTokensBound,
    free: request.free,
    overdraft_nano: request.overdraftNano.toString(),
    spends_all: request.spendsAllCurrencies,
    requests_per_minute: toDbLimit(request.modelRates.requestsPerMinute),
    tokens_per_minute: toDbLimit(request.modelRates.tokensPerMinute),
    requests_per_day: toDbLimit(request.modelRates.requestsPerDay),
    concurrency: toDbLimit(request.accountConcurrency),
    now_ms: request.nowMs,
    deadline_ms: request.deadlineMs,
  }
}

/** As the functions take it: null is without a limit. */
export function toDbLimit(limit: Limit): number | null {
  return limit === 'unlimited' ? null : limit
}

/** Numbers names from 1, in the order in which they come. */
function createPositions(): { of(name: string): number; names(): readonly string[] } {
  const positions = new Map<string, number>()
  return {
    of(name) {
      const known = positions.get(name)
      if (known !== undefined) return known
      positions.set(name, positions.size + 1)
      return positions.size
    },
    names: () => [...positions.keys()],
  }
}
