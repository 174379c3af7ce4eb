import type { GatewayError } from '../../core/gateway-error.ts'
import { EngineFault } from '../../domain/engines/types.ts'

/**
 * The fault of the engine behind a `fault` event. What a source throws travels as the event's cause: its kind decides
 * whether the node is at fault and what the caller is told, so it must survive the transforms.
 */
export function faultOf(error: GatewayError): EngineFault {
  return error.cause instanceof EngineFault
    ? error.cause
    : new EngineFault('bad_answer', error.message, { cause: error })
}
