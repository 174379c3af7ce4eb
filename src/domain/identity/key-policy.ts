import { GatewayError } from '../../core/gateway-error.ts'
import type { Principal } from '../../core/principal.ts'
import type { ApiKey } from './types.ts'

/** Revoked stays revoked whatever the clock says; an expiry is the first millisecond in which the key does not count. */
export function isKeyUsable(key: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>, nowMs: number): boolean {
  return key.revokedAtMs === null && (key.expiresAtMs === null || nowMs < key.expiresAtMs)
}

/**
 * Whether the caller's key may use the model. Inference and admin keys may both ask for completions.
 * @throws GatewayError model_not_allowed
 */
export function checkModelAllowed(principal: Pick<Principal, 'allowedModels'>, modelId: string): void {
  if (principal.allowedModels === null || principal.allowedModels.has(modelId)) return
  throw new GatewayError('model_not_allowed', `This API key may not use the model \`${modelId}\`.`, { param: 'model' })
}
