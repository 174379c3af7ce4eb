import type { ErrorContext, ErrorEncoder } from '../../../core/answer-encoder.ts'
import type { GatewayError } from '../../../core/gateway-error.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { detailedError } from './detailed-error.ts'
import { discoveryBody, discoveryHeader } from './discovery-body.ts'
import { balanceHeaders, budgetHeaders, headerText, rateHeaders, rateTypes } from './encode-headers.ts'
import { codeOf, isPolicyRefusal, policyViolation, statusOf, textOf } from './error-texts.ts'
import { withUsualWait } from './usual-wait.ts'

/** Failures in this surface's shapes: mostly the text itself under `error`, further facts beside it (venice.md §4.1). */
export const veniceErrors: ErrorEncoder = {
  renderError(failure, context) {
    const error = withUsualWait(failure)
    return {
      status: statusOf(error),
      headers: headersOf(error, context),
      body: JSON.stringify(bodyOf(error, context)),
    }
  },
}

function headersOf(error: GatewayError, context: ErrorContext): Record<string, string> {
  const { rates, rateOwner, failures, balances, retryAfterSeconds } = error.options
  return {
    'x-venice-host-name': headerText(context.operatorName),
    ...(failures === undefined ? {} : budgetHeaders(failures)),
    ...(balances === undefined ? {} : balanceHeaders(balances)),
    ...(rates === undefined ? {} : rateHeaders(rates, context.nowMs)),
    ...(rateOwner === undefined ? {} : { 'x-ratelimit-type': rateTypes[rateOwner] }),
    ...(error.code === 'engine_overloaded' ? { 'retry-after': String(retryAfterSeconds) } : {}),
    ...(error.code === 'missing_credentials' ? { 'payment-required': discoveryHeader(context) } : {}),
  }
}

function bodyOf(error: GatewayError, context: ErrorContext): JsonObject {
  switch (error.code) {
    case 'missing_credentials':
      return discoveryBody(context)
    case 'invalid_parameters':
    case 'unsupported_feature':
    case 'invalid_value':
    case 'invalid_media':
    case 'invalid_messages':
    case 'missing_model':
    case 'unknown_key':
    case 'duplicate_key':
      return detailedError(error)
    case 'context_length_exceeded':
      return contextOverflow(error)
    case 'encryption_unavailable':
      return { error: { message: error.message, type: error.type } }
    case 'engine_rejected':
      return engineRefusal(error, context)
    default:
      return standardError(error, context)
  }
}

function contextOverflow({ message, type }: GatewayError): JsonObject {
  return { error: { message, type, param: 'messages', code: 'context_length_exceeded' } }
}

/** The provider's own words; of what its validation found, each field with its problem (venice.md §4.1). */
function engineRefusal(error: GatewayError, context: ErrorContext): JsonObject {
  const { engine } = error.options
  if (engine?.kind === 'context') return contextOverflow(error)
  if (isPolicyRefusal(error)) return { ...policyViolation(error, context), message: error.message }
  const problems = engine?.status === 422 ? engine.problems : []
  return { error: problems.length === 0 ? error.message : problems.join('; '), request_id: context.requestId }
}

/** The words that clients know under `error`; what helps beyond them under `message` (venice.md §16.1). */
function standardError(error: GatewayError, context: ErrorContext): JsonObject {
  const text = textOf(error, context)
  const code = codeOf(error)
  return {
    error: text,
    ...(code === undefined ? {} : { code }),
    ...(text === error.message ? {} : { message: error.message }),
  }
}

/** The one frame that ends a stream which failed after its head had left (venice.md §2.2). */
export function encodeErrorEvent(failure: GatewayError): string {
  const error = withUsualWait(failure)
  const { retryAfterSeconds } = error.options
  const retry = retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }
  return JSON.stringify({ error: { param: null, ...eventOf(error), ...retry } })
}

function eventOf(error: GatewayError): JsonObject {
  const { message } = error
  switch (error.code) {
    case 'engine_overloaded':
      return { message: overloadedText, type: 'server_error', code: 'model_overloaded' }
    case 'content_policy_violation':
      return { message, type: 'content_filter_error', code: 'content_blocked_by_provider' }
    // Nothing was asked of an engine, and asking again would not help.
    case 'invalid_media':
    case 'not_configured':
      return { message, type: error.type, code: error.code, param: error.options.param ?? null }
    default:
      return { message, type: 'api_error', code: 'upstream_error' }
  }
}

const overloadedText = 'The model is currently overloaded. Please try again later.'
