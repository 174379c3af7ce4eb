import { GatewayError } from '../../core/gateway-error.ts'
import { judgeStatus } from './judge-answer.ts'
import type { EngineFault } from './types.ts'

/** How one node failed a call: with a status, or without an answer. */
export type NodeFailure =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterMs: number | null }
  | { readonly kind: 'fault'; readonly fault: EngineFault }

const retryAfterMaxSeconds = 60
const noCapacityRetrySeconds = 5
/** Work on an engine takes minutes; nothing is won by asking all the time. */
const outOfServiceRetrySeconds = 30

const timeouts: ReadonlySet<string> = new Set([
  'connect_timeout',
  'first_byte_timeout',
  'idle_timeout',
  'total_timeout',
])

/** Kinds after which the node may have been generating, so that a repeated call would pay for the same work again. */
const mayHaveGenerated: ReadonlySet<string> = new Set(['first_byte_timeout', 'idle_timeout', 'total_timeout'])

/**
 * What the caller is told when no node answered (venym.md §8): 429 when all said 429, 504 when the last one was too late,
 * 503 when none could be asked, 502 otherwise. The texts name no node and no address. `isDrained`: the operator took all
 * nodes out of service.
 */
export function failureError(failures: readonly NodeFailure[], isDrained = false): GatewayError {
  const last = failures.at(-1)
  if (last === undefined) return isDrained ? outOfService() : noCapacity()
  const cause = last.kind === 'fault' ? last.fault : undefined
  if (failures.every(isOverload)) return overloaded(failures)
  if (last.kind === 'fault' && timeouts.has(last.fault.kind)) {
    const message = 'The engine did not answer in time. Ask for fewer tokens, or with `stream: true`.'
    return new GatewayError('upstream_timeout', message, {
      ...(mayHaveGenerated.has(last.fault.kind) ? { shouldRetry: false } : {}),
      cause,
    })
  }
  return new GatewayError('upstream_error', 'No engine could answer this request. It is not your fault; try again.', {
    cause,
  })
}

function noCapacity(): GatewayError {
  const message = `Every engine of this model is busy or out of service. Try again in ${noCapacityRetrySeconds} seconds.`
  return new GatewayError('no_capacity', message, { retryAfterSeconds: noCapacityRetrySeconds })
}

function outOfService(): GatewayError {
  const message = `Every engine of this model was taken out of service by the operator. Ask for another model, or try again in ${outOfServiceRetrySeconds} seconds.`
  const facts = { isOutOfService: true }
  return new GatewayError('no_capacity', message, { retryAfterSeconds: outOfServiceRetrySeconds, facts })
}

function overloaded(failures: readonly NodeFailure[]): GatewayError {
  const waits = failures
    .map(failure => (failure.kind === 'status' ? failure.retryAfterMs : null))
    .filter(wait => wait !== null)
  const isWaitUnknown = waits.length === 0
  const seconds = isWaitUnknown ? 1 : Math.ceil(Math.min(...waits) / 1_000)
  const retryAfterSeconds = Math.min(Math.max(seconds, 1), retryAfterMaxSeconds)
  const wait = retryAfterSeconds === 1 ? '1 second' : `${retryAfterSeconds} seconds`
  const message = `Every engine of this model is overloaded. Try again in ${wait}.`
  return new GatewayError('engine_overloaded', message, { retryAfterSeconds, facts: { isWaitUnknown } })
}

function isOverload(failure: NodeFailure): boolean {
  return failure.kind === 'status' && judgeStatus(failure.status) === 'overloaded'
}
