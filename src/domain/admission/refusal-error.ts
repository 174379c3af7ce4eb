import { errorBudgetExhausted } from '../../core/error-budget-exhausted.ts'
import { GatewayError } from '../../core/gateway-error.ts'
import { invalidApiKey } from '../../core/invalid-api-key.ts'
import { type Amount, formatUsd } from '../../core/money.ts'
import { utcDayStart } from '../../lib/utc-calendar.ts'
import type { RateLimits } from '../limits/types.ts'
import type { AdmissionRequest, Refusal } from './types.ts'

type RefusedRequest = Pick<AdmissionRequest, 'model' | 'modelRates' | 'errorBudget' | 'nowMs'>

/** Tells the caller what was short, what is left, how long to wait and what would help (venym.md §5). */
export function refusalError(refusal: Refusal, request: RefusedRequest): GatewayError {
  switch (refusal.reason) {
    case 'invalid_api_key':
      return invalidApiKey()
    case 'insufficient_balance':
      return new GatewayError(
        'insufficient_balance',
        `Your balance has ${usd(refusal.availableNano)} available and this request may cost up to ` +
          `${usd(refusal.neededNano)}: add credit or lower max_tokens.`,
      )
    case 'key_limit_exceeded':
      return new GatewayError(
        'key_limit_exceeded',
        `The spending limit of this API key has ${usd(refusal.availableNano)} left and this request may cost up to ` +
          `${usd(refusal.neededNano)}: raise the key's limit or lower max_tokens.`,
      )
    case 'key_diem_limit_exceeded':
      return new GatewayError(
        'key_diem_limit_exceeded',
        `The limit of this API key has ${formatUsd(refusal.availableNano)} DIEM left and this request may cost up to ` +
          `${formatUsd(refusal.neededNano)}: raise the key's limit, give it one in USD too, or lower max_tokens.`,
      )
    case 'rate_limit_requests':
      return rateError(
        refusal,
        `Too many requests ${scopeOf(refusal, request, 'requestsPerMinute')}: at most ${refusal.limit} per minute.`,
      )
    case 'rate_limit_tokens':
      return rateError(
        refusal,
        `Too many tokens ${scopeOf(refusal, request, 'tokensPerMinute')}: at most ${refusal.limit} per minute, where a request counts with its ` +
          'prompt and its whole output limit until it ends. A lower max_tokens counts less.',
      )
    case 'rate_limit_daily':
      return dailyError(refusal, request)
    case 'concurrency_account':
      return concurrencyError(refusal, 'account')
    case 'concurrency_key':
      return concurrencyError(refusal, 'API key')
    case 'error_budget':
      return budgetError(refusal, request)
  }
}

/** Dollars as people write them: cents at least, every further decimal that counts. */
function usd(amount: Amount): string {
  const [whole, fraction = ''] = formatUsd(amount < 0n ? -amount : amount).split('.')
  return `${amount < 0n ? '-' : ''}$${whole}.${fraction.padEnd(2, '0')}`
}

/** A limit that is not the account's for the model is the key's own, which counts its requests to all models. */
function scopeOf({ limit }: Refusal, { model, modelRates }: RefusedRequest, rate: keyof RateLimits): string {
  return limit === modelRates[rate] ? `to ${model}` : 'with this API key'
}

function rateError(refusal: Refusal, what: string): GatewayError {
  return new GatewayError('rate_limit_exceeded', `${what} ${waitOf(refusal)}`, retryOf(refusal))
}

/** A day is longer than any wait that `Retry-After` can say, so clients are told not to repeat the call by themselves. */
function dailyError(refusal: Refusal, request: RefusedRequest): GatewayError {
  const { limit, retryAfterMs } = refusal
  const { nowMs } = request
  const beginsAtMs = utcDayStart(nowMs) + 86_400_000
  const minutes = Math.ceil((beginsAtMs - nowMs) / 60_000)
  const wait =
    limit === 0
      ? 'Trying again does not help.'
      : `The next day begins in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, at ${new Date(beginsAtMs).toISOString()}.`
  const what = `Too many requests ${scopeOf(refusal, request, 'requestsPerDay')}: at most ${limit} per day. ${wait}`
  return new GatewayError('rate_limit_exceeded', what, {
    retryAfterSeconds: Math.ceil(retryAfterMs / 1_000),
    shouldRetry: false,
  })
}

function concurrencyError(refusal: Refusal, owner: string): GatewayError {
  const what = `This ${owner} may run at most ${refusal.limit} requests at a time: let one of them end.`
  return new GatewayError('concurrency_exceeded', `${what} ${waitOf(refusal)}`, retryOf(refusal))
}

function budgetError({ limit, retryAfterMs }: Refusal, { errorBudget, nowMs }: RefusedRequest): GatewayError {
  const view = { remaining: 0, resetsAtMs: nowMs + retryAfterMs }
  return errorBudgetExhausted({ allowed: limit, windowMs: errorBudget?.windowMs ?? retryAfterMs, nowMs, view })
}

function waitOf(refusal: Refusal): string {
  if (refusal.limit === 0) return 'Trying again does not help.'
  const seconds = secondsOf(refusal)
  return `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
}

/** A limit of 0 never passes, so official clients are told not to repeat the call. */
function retryOf(refusal: Refusal): { readonly retryAfterSeconds: number; readonly shouldRetry?: boolean } {
  const retryAfterSeconds = secondsOf(refusal)
  return refusal.limit === 0 ? { retryAfterSeconds, shouldRetry: false } : { retryAfterSeconds }
}

function secondsOf(refusal: Refusal): number {
  return Math.ceil(refusal.retryAfterMs / 1_000)
}
