import type { Limit } from '../../../core/rate-view.ts'
import { uuidOfKey } from '../uuid.ts'
import { type Balances, encodeBalances } from './balances.ts'
import { exactJson } from './exact-json.ts'

export interface ModelRates {
  readonly modelId: string
  readonly requestsPerMinute: Limit
  readonly tokensPerMinute: Limit
  readonly requestsPerDay: Limit
}

export interface RateLimitFacts {
  readonly accessPermitted: boolean
  readonly balances: Balances
  readonly keyExpiresAtMs: number | null
  readonly nextEpochAtMs: number
  readonly models: readonly ModelRates[]
}

/** Everybody pays for what is used. */
const tier = 'paid'

/** `GET /api_keys/rate_limits` (venice.md §5.3). What has no limit is not in the list. */
export function encodeRateLimits(facts: RateLimitFacts): string {
  return exactJson({
    data: {
      accessPermitted: facts.accessPermitted,
      apiTier: { id: tier, isCharged: true },
      balances: encodeBalances(facts.balances),
      keyExpiration: facts.keyExpiresAtMs === null ? null : new Date(facts.keyExpiresAtMs).toISOString(),
      nextEpochBegins: new Date(facts.nextEpochAtMs).toISOString(),
      rateLimits: facts.models.map(({ modelId, requestsPerMinute, tokensPerMinute, requestsPerDay }) => ({
        apiModelId: modelId,
        rateLimits: [
          ...entry('RPM', requestsPerMinute),
          ...entry('TPM', tokensPerMinute),
          ...entry('RPD', requestsPerDay),
        ],
      })),
    },
  })
}

function entry(type: string, amount: Limit) {
  return amount === 'unlimited' ? [] : [{ type, amount }]
}

export interface RefusalFacts {
  readonly keyId: string
  readonly model: string
  readonly rate: keyof typeof rateTypes
  readonly atMs: number
}

const rateTypes = {
  requests: 'RPM',
  tokens: 'TPM',
  daily: 'RPD',
  failed: 'FAILED_REQUESTS',
  unsupported: 'UNSUPPORTED_FEATURE_REQUESTS',
} as const

/** `GET /api_keys/rate_limits/log`. */
export function encodeRefusals(refusals: readonly RefusalFacts[]): string {
  return exactJson({
    object: 'list',
    data: refusals.map(({ keyId, model, rate, atMs }) => ({
      apiKeyId: uuidOfKey(keyId),
      modelId: model,
      rateLimitTier: tier,
      rateLimitType: rateTypes[rate],
      timestamp: new Date(atMs).toISOString(),
    })),
  })
}
