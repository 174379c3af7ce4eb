import { GatewayError } from '../core/gateway-error.ts'
import type { Outcome } from '../domain/usage/types.ts'
import type { Billing } from './ending.ts'
import type { StopCause } from './running.ts'

/** How a request ends that was stopped from our side (money.md §3, the table of outcomes). */
export interface StopEnding {
  readonly outcome: Outcome
  readonly billing: Billing
  /** What the caller is told, if there still is one. */
  readonly error: GatewayError
}

/** `worked`: an engine was asked, so that it may have generated; before that nothing is charged. */
export function stopEnding(cause: StopCause, worked: boolean): StopEnding {
  const billing = worked ? 'usage' : 'free'
  switch (cause) {
    case 'caller':
      return {
        outcome: 'client_abort',
        billing,
        error: new GatewayError('request_timeout', 'The caller left before the answer ended.'),
      }
    case 'deadline':
      return { outcome: 'deadline', billing, error: deadlinePassed() }
    case 'drain':
      return { outcome: 'drained', billing: 'free', error: cutByDrain() }
  }
}

function deadlinePassed(): GatewayError {
  const message = 'The answer took longer than this gateway waits. Ask for fewer tokens, or with `stream: true`.'
  return new GatewayError('upstream_timeout', message, { shouldRetry: false })
}

function cutByDrain(): GatewayError {
  return new GatewayError(
    'draining',
    'The gateway shut down before the answer ended. Nothing was charged; try again.',
    { retryAfterSeconds: 5 },
  )
}
