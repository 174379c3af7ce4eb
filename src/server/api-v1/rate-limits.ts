import type { Model } from '../../core/model.ts'
import type { Limit } from '../../core/rate-view.ts'
import { encodeRateLimits, encodeRefusals, type ModelRates } from '../../dialects/venice/encode/encode-rate-limits.ts'
import { isModelShown } from '../../domain/identity/key-policy.ts'
import type { ApiKey } from '../../domain/identity/types.ts'
import { utcDayStart } from '../../lib/utc-calendar.ts'
import type { ServerDependencies } from '../server-dependencies.ts'
import type { KeyRoutes } from './key-routes.ts'
import { readPurse } from './purse.ts'

const dayMs = 86_400_000

type Dependencies = Pick<ServerDependencies, 'catalog' | 'limits' | 'ledger' | 'refusals' | 'clock'>

/** `/api/v1/api_keys/rate_limits*`: how much and how fast a key may ask, and when it asked too fast (venice.md §5.3). */
export function registerRateLimits({ forAny, forAdmin }: KeyRoutes, dependencies: Dependencies): void {
  const { catalog, refusals, clock } = dependencies

  forAny('GET', '/api/v1/api_keys/rate_limits', async ({ key, account }) => {
    const purse = await readPurse(dependencies, account)
    return encodeRateLimits({
      accessPermitted: purse.canPay,
      balances: purse.balances,
      keyExpiresAtMs: key.expiresAtMs,
      nextEpochAtMs: utcDayStart(clock.now()) + dayMs,
      models: catalog.list().flatMap(model => (isUsable(key, model) ? [ratesFor(dependencies, key, model)] : [])),
    })
  })

  forAdmin('GET', '/api/v1/api_keys/rate_limits/log', async ({ account }) =>
    encodeRefusals(await refusals.list(account.id)),
  )
}

function isUsable(key: ApiKey, model: Model): boolean {
  const isAllowed = key.allowedModels === null || key.allowedModels.includes(model.id)
  return isAllowed && isModelShown(key, model)
}

/** Of the model's rates for the account and the key's own, those that end first. */
function ratesFor({ limits }: Pick<Dependencies, 'limits'>, key: ApiKey, model: Model): ModelRates {
  const { requestsPerMinute, tokensPerMinute, requestsPerDay } = limits.forModel(model)
  return {
    modelId: model.id,
    requestsPerMinute: lower(requestsPerMinute, key.requestsPerMinute),
    tokensPerMinute: lower(tokensPerMinute, key.tokensPerMinute),
    requestsPerDay: lower(requestsPerDay, key.requestsPerDay),
  }
}

function lower(ofModel: Limit, ofKey: number | null): Limit {
  if (ofKey === null) return ofModel
  return ofModel === 'unlimited' ? ofKey : Math.min(ofModel, ofKey)
}
