import type { AnswerMoment } from '../../../core/answer-encoder.ts'

/**
 * Headers of every answer of this surface (venice.md §2.3). The request's id stands under the name as well under which
 * clients of this surface keep it for support; a network in front that sets that header itself replaces it.
 */
export function commonHeaders({ requestId, nowMs, builtAtMs }: AnswerMoment): Record<string, string> {
  return {
    'cf-ray': requestId,
    'x-venice-version': versionOf(builtAtMs),
    'x-venice-timestamp': new Date(nowMs).toISOString(),
  }
}

/** `YYYYMMDD.HHMMSS` in UTC. */
function versionOf(builtAtMs: number): string {
  const [date = '', time = ''] = new Date(builtAtMs).toISOString().split('T')
  return `${date.replaceAll('-', '')}.${time.slice(0, 8).replaceAll(':', '')}`
}

/** What pages of other origins may read of an answer. */
export const exposedHeaders: readonly string[] = [
  'x-request-id',
  'cf-ray',
  'x-generation-id',
  'x-venice-version',
  'x-venice-timestamp',
  'x-venice-host-name',
  'x-venice-model-id',
  'x-venice-model-name',
  'x-venice-model-router',
  'x-venice-model-deprecation-warning',
  'x-venice-model-deprecation-date',
  'x-venice-balance-usd',
  'x-venice-balance-diem',
  'x-balance-remaining',
  'x-venice-tee',
  'x-venice-tee-provider',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'x-ratelimit-limit-tokens',
  'x-ratelimit-remaining-tokens',
  'x-ratelimit-reset-tokens',
  'x-ratelimit-type',
  'x-ratelimit-remaining',
  'x-ratelimit-resets',
  'retry-after',
  'x-should-retry',
  'idempotent-replayed',
  'payment-required',
  'payment-response',
  'x-next-cursor',
  'x-pagination-limit',
  'x-pagination-page',
  'x-pagination-total',
  'x-pagination-total-pages',
  'link',
  'deprecation',
  'sunset',
]
