import type { Texts } from './operation.ts'

/** Headers that answers of every API have. */

export const requestId: Texts = { 'x-request-id': 'Names this request to the operator.' }

export const retryAfter: Texts = { 'retry-after': 'Seconds after which trying again makes sense.' }

/** A bucket of requests and one of tokens. `reset` says in which form the time is written until one is full. */
export function rateHeaders(reset: string): Texts {
  const units = ['requests', 'tokens'].map(unit => ({
    [`x-ratelimit-limit-${unit}`]: `The rate of ${unit} per minute; not there without a limit.`,
    [`x-ratelimit-remaining-${unit}`]: `How many ${unit} are left now.`,
    [`x-ratelimit-reset-${unit}`]: reset,
  }))
  return Object.assign({}, ...units)
}
