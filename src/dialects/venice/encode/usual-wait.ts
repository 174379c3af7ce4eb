import { GatewayError } from '../../../core/gateway-error.ts'

/** What clients of this surface are told to wait for an overloaded model whose engine named no time (venice.md §2.3). */
const usualWaitSeconds = 30

/** The failure with the wait that this surface promises; every other failure as it is. */
export function withUsualWait(error: GatewayError): GatewayError {
  if (error.code !== 'engine_overloaded' || error.options.facts?.['isWaitUnknown'] !== true) return error
  const message = `Every engine of this model is overloaded. Try again in ${usualWaitSeconds} seconds.`
  return new GatewayError(error.code, message, { ...error.options, retryAfterSeconds: usualWaitSeconds })
}
