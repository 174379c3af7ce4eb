import { GatewayError } from '../../core/gateway-error.ts'
import type { Model } from '../../core/model.ts'
import type { Principal } from '../../core/principal.ts'
import type { ApiKey } from './types.ts'

/** Revoked stays revoked whatever the clock says; an expiry is the first millisecond in which the key does not count. */
export function isKeyUsable(key: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || nowMs < key.expiresAtMs)
}

/**
 * Whether caller and key may use the model: the key's own list, its restriction to private models, and models that need a
 * subscription. Inference and admin keys may both ask for completions.
 * @throws GatewayError model_not_allowed, model_privacy_restricted, subscription_required
 */
export function checkModelAllowed(principal: Principal, model: Model): void {
  if (principal.allowedModels !== null && !principal.allowedModels.has(model.id))
    throw new GatewayError('model_not_allowed', `This API key may not use the model \`${model.id}\`.`, {
      param: 'model',
    })
  checkModelShown(principal, model)
  if (model.proOnly && !principal.pro)
    throw new GatewayError('subscription_required', `The model \`${model.id}\` is for subscribed accounts only.`, {
      param: 'model',
    })
}

/** The same rights as a question, for models that nobody asked for by name. */
export function isModelAllowed(principal: Principal, model: Model): boolean {
  const isListed = principal.allowedModels === null || principal.allowedModels.has(model.id)
  return isListed && !isTooOpen(principal, model) && (!model.proOnly || principal.pro)
}

/** Whether a key of this privacy sees the model in lists: one that it may not use is not shown to it. */
export function isModelShown(principal: Pick<Principal, 'privacy'>, model: Pick<Model, 'privacy' | 'type'>): boolean {
  return !isTooOpen(principal, model)
}

/** The same for a model that is asked for by its id. @throws GatewayError model_privacy_restricted */
export function checkModelShown(principal: Pick<Principal, 'privacy'>, model: Model): void {
  if (isTooOpen(principal, model)) throw privacyRestricted(principal, model)
}

/** `private_text` restricts text models only, `private_only` all of them (venice.md §19). */
function isTooOpen({ privacy }: Pick<Principal, 'privacy'>, model: Pick<Model, 'privacy' | 'type'>): boolean {
  if (model.privacy !== 'anonymized' || privacy === 'all') return false
  return privacy === 'private_only' || model.type === 'text'
}

function privacyRestricted({ privacy }: Pick<Principal, 'privacy'>, { id }: Model): GatewayError {
  const setting = privacy.toUpperCase()
  const message =
    `This API key is set to '${setting}', but \`${id}\` is an Anonymous model. ` +
    'Choose a Private, TEE, or E2EE model, or change the model privacy setting of this API key.'
  return new GatewayError('model_privacy_restricted', message, { param: 'model' })
}
