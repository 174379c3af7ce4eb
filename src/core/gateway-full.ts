import { GatewayError } from './gateway-error.ts'

/** Bodies and media live for seconds, so that there is room soon. */
const retryAfterSeconds = 2

/** 503 when a buffer of this process has no room, whatever model was asked for. `what` is a sentence that says which. */
export function gatewayFull(what: string): GatewayError {
  const message = `The gateway is full. ${what} Nothing was charged; try again in ${retryAfterSeconds} seconds.`
  return new GatewayError('no_capacity', message, { retryAfterSeconds, facts: { code: 'GATEWAY_AT_CAPACITY' } })
}
