import type { JsonValue } from '../lib/json.ts'
import type { Balances } from './currency.ts'
import type { BudgetView, RateOwner, RateView } from './rate-view.ts'
import { StoreUnavailable } from './store-error.ts'

/**
 * Every failure that a caller may see. One table decides status, OpenAI error type and whether a client may try again
 * (venym.md §5); a dialect only renders it.
 */
export const errorTable = {
  invalid_json: { status: 400, type: 'invalid_request_error' },
  invalid_messages: { status: 400, type: 'invalid_request_error' },
  invalid_value: { status: 400, type: 'invalid_request_error' },
  missing_model: { status: 400, type: 'invalid_request_error' },
  duplicate_key: { status: 400, type: 'invalid_request_error' },
  unknown_key: { status: 400, type: 'invalid_request_error' },
  invalid_parameters: { status: 400, type: 'invalid_request_error' },
  invalid_media: { status: 400, type: 'invalid_request_error' },
  unsupported_feature: { status: 400, type: 'invalid_request_error' },
  encryption_unavailable: { status: 400, type: 'invalid_request_error' },
  context_length_exceeded: { status: 400, type: 'invalid_request_error' },
  not_configured: { status: 400, type: 'invalid_request_error' },
  bad_request: { status: 400, type: 'invalid_request_error' },
  invalid_api_key: { status: 401, type: 'authentication_error' },
  missing_credentials: { status: 401, type: 'authentication_error' },
  admin_key_required: { status: 401, type: 'authentication_error' },
  subscription_required: { status: 401, type: 'authentication_error' },
  insufficient_balance: { status: 402, type: 'insufficient_quota' },
  key_limit_exceeded: { status: 402, type: 'insufficient_quota' },
  key_diem_limit_exceeded: { status: 402, type: 'insufficient_quota' },
  model_not_allowed: { status: 403, type: 'permission_error' },
  model_privacy_restricted: { status: 403, type: 'permission_error' },
  region_restricted: { status: 403, type: 'permission_error' },
  self_service_disabled: { status: 403, type: 'permission_error' },
  model_not_found: { status: 404, type: 'invalid_request_error' },
  character_not_found: { status: 404, type: 'invalid_request_error' },
  not_found: { status: 404, type: 'invalid_request_error' },
  method_not_allowed: { status: 405, type: 'invalid_request_error' },
  request_timeout: { status: 408, type: 'invalid_request_error' },
  idempotency_in_progress: { status: 409, type: 'invalid_request_error' },
  not_replayable: { status: 409, type: 'invalid_request_error' },
  gone: { status: 410, type: 'invalid_request_error' },
  body_too_large: { status: 413, type: 'invalid_request_error' },
  unsupported_content_type: { status: 415, type: 'invalid_request_error' },
  expectation_failed: { status: 417, type: 'invalid_request_error' },
  idempotency_key_reused: { status: 422, type: 'invalid_request_error' },
  content_policy_violation: { status: 422, type: 'invalid_request_error' },
  headers_too_large: { status: 431, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, type: 'rate_limit_error' },
  error_budget_exhausted: { status: 429, type: 'rate_limit_error' },
  concurrency_exceeded: { status: 429, type: 'rate_limit_error' },
  engine_overloaded: { status: 429, type: 'rate_limit_error' },
  engine_rejected: { status: 400, type: 'invalid_request_error' },
  internal: { status: 500, type: 'server_error' },
  page_unreadable: { status: 500, type: 'server_error' },
  upstream_error: { status: 502, type: 'server_error' },
  no_capacity: { status: 503, type: 'server_error' },
  service_unavailable: { status: 503, type: 'server_error' },
  ledger_unavailable: { status: 503, type: 'server_error' },
  draining: { status: 503, type: 'server_error' },
  upstream_timeout: { status: 504, type: 'server_error' },
} as const

export type ErrorCode = keyof typeof errorTable
export type ErrorType = (typeof errorTable)[ErrorCode]['type']

/** One thing that is wrong with a request: where, and what, in words that name the mend. */
export interface RequestIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** The kind of the problem and its facts, as the surface's validation names them. */
  readonly facts: Readonly<Record<string, JsonValue>>
}

/** What is known of a request that an engine refused. */
interface EngineRefusal {
  readonly status: number
  readonly code: string | null
  readonly param: string | null
  /** For what, where surfaces have words of their own for it. */
  readonly kind: 'policy' | 'context' | 'other'
  /** What the engine says of single fields, as `field.path: message`. */
  readonly problems: readonly string[]
}

export interface GatewayErrorOptions {
  /** The field of the request that is wrong, as a path (`messages.0.role`), or null. */
  readonly param?: string | null
  /** Seconds after which trying again makes sense, 1–60. */
  readonly retryAfterSeconds?: number
  /** False tells official clients not to repeat a call that cannot improve or may already have been charged. */
  readonly shouldRetry?: boolean
  /** The engine's own status, code and type, for a 4xx that is handed on (venym.md §4). */
  readonly engine?: EngineRefusal
  /** What is left of the caller's rates, where the refusal came after they were looked at. */
  readonly rates?: RateView
  readonly rateOwner?: RateOwner
  /** What the account had, where it was looked at. */
  readonly balances?: Balances
  /** What is left of the caller's error budget, where it was looked at. */
  readonly failures?: BudgetView
  /** Everything that is wrong with a request, where all of it was found at once. */
  readonly issues?: readonly RequestIssue[]
  /** Further members of the rendered error object. */
  readonly details?: Readonly<Record<string, JsonValue>>
  /** The parts of the message, for surfaces that word it themselves. */
  readonly facts?: Readonly<Record<string, JsonValue>>
  /** For the log only; never rendered. */
  readonly cause?: unknown
}

/** The one error type. `message` is written for the caller: it names the field, the limit, the wait, the mend. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: ErrorCode
  readonly options: GatewayErrorOptions

  constructor(code: ErrorCode, message: string, options: GatewayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.options = options
  }

  /** HTTP status: the table's, or the engine's own for a rejection that is handed on. */
  get status(): number {
    return this.options.engine?.status ?? errorTable[this.code].status
  }

  get type(): ErrorType {
    return errorTable[this.code].type
  }

  /** The same failure with more that is known about it. */
  with(options: Pick<GatewayErrorOptions, 'rates' | 'rateOwner' | 'failures' | 'balances'>): GatewayError {
    return new GatewayError(this.code, this.message, { ...this.options, ...options })
  }
}

/**
 * What a caller may know about a failure of ours: that the ledger cannot answer, or that it is our fault. The cause goes
 * to the log.
 */
export function toGatewayError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof StoreUnavailable) return ledgerUnavailable(error)
  return new GatewayError('internal', 'The gateway failed while it handled this request. It is our fault; try again.', {
    cause: error,
  })
}

const ledgerRetryAfterSeconds = 2

/** A store that cannot answer stops admission; nothing is ever assumed to have worked (money.md §2). */
function ledgerUnavailable(cause: unknown): GatewayError {
  const message = 'The ledger cannot answer now, so nothing was started and nothing charged. Try again shortly.'
  return new GatewayError('ledger_unavailable', message, { retryAfterSeconds: ledgerRetryAfterSeconds, cause })
}
