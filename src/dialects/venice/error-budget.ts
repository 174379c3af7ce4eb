import type { ModelNaming } from '../../core/completion-policy.ts'
import type { ErrorCode, GatewayError } from '../../core/gateway-error.ts'
import type { Model } from '../../core/model.ts'
import type { JsonObject } from '../../lib/json.ts'
import { type ModelNames, nameOfModel } from './decode/model-name.ts'
import { statusOf } from './encode/error-texts.ts'

/** Refused before anybody looks at a budget: no caller, or no body (venice.md §5.4); or told to nobody, who had left. */
const uncounted: ReadonlySet<ErrorCode> = new Set([
  'missing_credentials',
  'encryption_unavailable',
  'unsupported_content_type',
  'invalid_json',
  'duplicate_key',
  'body_too_large',
  'request_timeout',
])

/** What the model or its provider refuses: a client may have to try to find out, so that more of it is borne. */
const unsupported: ReadonlySet<ErrorCode> = new Set(['unsupported_feature', 'engine_rejected'])

/** In which budget a failure counts: every 4xx but 429, and no failure of ours. */
export function countedAs(error: GatewayError): 'failed' | 'unsupported' | null {
  const status = statusOf(error)
  if (status < 400 || status >= 500 || status === 429 || uncounted.has(error.code)) return null
  return unsupported.has(error.code) ? 'unsupported' : 'failed'
}

/** Users that differ only behind this count as one: hashing a megabyte for each request would be a gift. */
const userCharactersMax = 1_024

/** What names the bucket of a request: the model that it means, and the caller's own user, of whatever else the body is. */
export interface BudgetNames {
  readonly model: string
  readonly user: string | null
}

export interface CatalogNames extends ModelNames {
  find(name: string, naming: ModelNaming): Model | null
}

/** Read before the body is judged, because its failures are to be counted (venice.md §5.4). */
export function readBudgetNames({ model, user }: JsonObject, names: CatalogNames, naming: ModelNaming): BudgetNames {
  const found = typeof model === 'string' ? names.find(nameOfModel(model, { names, naming }), naming) : null
  return {
    model: found?.id ?? 'model:unknown',
    user: typeof user === 'string' && user !== '' ? user.slice(0, userCharactersMax) : null,
  }
}

/** The bucket of an address that is asked without a model. Addresses of one key's management share theirs. */
export function endpointName(route: string): string {
  return `endpoint:${route.replace(/^\//, '').replace(/\/:id$/, '')}`
}
