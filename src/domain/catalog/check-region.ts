import { GatewayError } from '../../core/gateway-error.ts'
import type { Model } from '../../core/model.ts'

/**
 * Where a caller is: a country code in capitals; `unknown` where the proxy that should say so did not; null where nobody
 * was asked.
 */
export type CallerRegion = string | null

/** Codes by which networks say that they do not know. */
const unknownRegions: ReadonlySet<string> = new Set(['unknown', 'XX', 'T1'])

/**
 * A model that may not be used everywhere is not for callers of whom nobody knows where they are.
 * @throws GatewayError region_restricted
 */
export function checkRegion({ id, deniedRegions }: Pick<Model, 'id' | 'deniedRegions'>, region: CallerRegion): void {
  if (deniedRegions.length === 0 || region === null) return
  if (!unknownRegions.has(region) && !deniedRegions.includes(region)) return
  throw new GatewayError('region_restricted', `The model \`${id}\` is not available in your region.`, {
    param: 'model',
  })
}
