import type { ErrorContext } from '../../../core/answer-encoder.ts'
import type { ErrorCode, GatewayError } from '../../../core/gateway-error.ts'
import type { JsonValue } from '../../../lib/json.ts'

/** Where this surface's statuses differ from the table of all failures (venice.md §4.2). */
const statuses: Partial<Record<ErrorCode, number>> = {
  missing_credentials: 402,
  upstream_error: 500,
  engine_rejected: 400,
}

/** The provider looked at the content and said no before it said anything else. */
export function isPolicyRefusal({ code, options }: GatewayError): boolean {
  return code === 'engine_rejected' && options.engine?.kind === 'policy'
}

/** Compressed, or in a charset other than UTF-8. */
function isCoding({ options: { param, facts } }: GatewayError): boolean {
  return param === 'Content-Encoding' || facts?.['isCharset'] === true
}

/** A type that is not JSON is the caller's mistake; only a coding that cannot be undone is 415. */
export function statusOf(error: GatewayError): number {
  if (isPolicyRefusal(error)) return 422
  if (error.code === 'unsupported_content_type') return isCoding(error) ? 415 : 400
  return statuses[error.code] ?? error.status
}

/** Codes that stand beside the text, so that programs need not read it. */
const wordedCodes: Partial<Record<ErrorCode, string>> = {
  body_too_large: 'PAYLOAD_TOO_LARGE',
  insufficient_balance: 'INSUFFICIENT_BALANCE',
  key_limit_exceeded: 'API_KEY_USD_SPEND_LIMIT_EXCEEDED',
  key_diem_limit_exceeded: 'API_KEY_DIEM_SPEND_LIMIT_EXCEEDED',
  model_privacy_restricted: 'MODEL_PRIVACY_RESTRICTED',
  rate_limit_exceeded: 'RATE_LIMIT_EXCEEDED',
  engine_overloaded: 'MODEL_OVERLOADED',
  no_capacity: 'MODEL_AT_CAPACITY',
  upstream_timeout: 'REQUEST_TIMEOUT',
  upstream_error: 'INFERENCE_FAILED',
  internal: 'UNKNOWN_ERROR',
  content_policy_violation: 'CONTENT_POLICY_VIOLATION',
}

/** A failure may bring a code of its own; a model that is out of service is another thing here than one that is busy. */
export function codeOf(error: GatewayError): JsonValue | undefined {
  if (isOffline(error)) return 'MODEL_OFFLINE'
  return error.options.facts?.['code'] ?? wordedCodes[error.code]
}

function isOffline({ code, options }: GatewayError): boolean {
  return code === 'no_capacity' && options.facts?.['isOutOfService'] === true
}

type Wording = string | ((error: GatewayError, context: ErrorContext) => string)

/** What clients match on, in the operator's own names. Codes that are not here speak in the gateway's words. */
const texts: Partial<Record<ErrorCode, Wording>> = {
  invalid_json: 'Invalid JSON request',
  unsupported_content_type: error =>
    isCoding(error)
      ? 'Request encoding is not supported'
      : `'Content-Type' must be '${String(error.options.facts?.['expected'] ?? 'application/json')}'`,
  body_too_large: 'Request body exceeds the maximum allowed size.',
  invalid_api_key: 'Authentication failed',
  admin_key_required: 'Admin API key required',
  subscription_required: 'This model is only available to Pro users',
  insufficient_balance: (_, { publicUrl }) =>
    `Insufficient USD or Diem balance to complete request. Visit ${publicUrl} to add credits.`,
  key_limit_exceeded:
    'API key USD spend limit exceeded. Your account may still have funds; raise the limit of this key.',
  key_diem_limit_exceeded:
    'API key DIEM spend limit exceeded. Your account may still have funds; raise the limit of this key.',
  model_not_found: modelNotFound,
  character_not_found: 'No character could be found from the provided character_slug',
  content_policy_violation: policyText,
  rate_limit_exceeded: 'Rate limit exceeded',
  concurrency_exceeded: 'Too many concurrent requests',
  error_budget_exhausted: budgetText,
  engine_overloaded: 'The model is currently overloaded. Please try again later.',
  no_capacity: capacityText,
  upstream_error: 'Inference processing failed',
  internal: 'An unknown error occurred',
  upstream_timeout: 'The request timed out. Try again with stream=true.',
}

function capacityText(error: GatewayError): string {
  if (isOffline(error)) return 'The model is temporarily offline. Please try again later.'
  // What is full of the gateway itself says so: another model would not help.
  if (error.options.facts?.['code'] !== undefined) return error.message
  return 'The model is at capacity. Please try again later.'
}

function policyText(_: GatewayError, { operatorName }: ErrorContext): string {
  return `Your prompt violates the content policy of ${operatorName} or the model provider`
}

/** What an engine's own refusal is called here. */
export function policyViolation(
  error: GatewayError,
  context: ErrorContext,
): { readonly error: string; readonly code: string } {
  return { error: policyText(error, context), code: 'CONTENT_POLICY_VIOLATION' }
}

export function textOf(error: GatewayError, context: ErrorContext): string {
  const wording = texts[error.code]
  if (wording === undefined) return error.message
  return typeof wording === 'string' ? wording : wording(error, context)
}

function modelNotFound({ message, options: { facts } }: GatewayError): string {
  // A model that there was is told in its own words.
  if (!Array.isArray(facts?.['suggestions'])) return message
  const { model, suggestions } = facts
  const near = suggestions.length > 0 ? ` Did you mean: ${suggestions.join(', ')}?` : ''
  return `Specified model not found: ${String(model)}.${near}`
}

function budgetText({ options: { facts } }: GatewayError, { publicUrl }: ErrorContext): string {
  return (
    `Too many failed attempts (> ${String(facts?.['allowed'])}) resulting in a non-success status code. ` +
    `Please wait ${String(facts?.['windowSeconds'])} seconds and try again. See ${publicUrl}/docs for more information.`
  )
}
