import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/logger.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import { createProviderBreaker, type ProviderBreaker } from './provider-breaker.ts'
import type { SearchObserver } from './search-observer.ts'
import type { ProviderAnswer, SearchProvider } from './search-provider.ts'
import type { FailedProvider, SearchFailureKind, SearchOutcome, SearchWishes } from './types.ts'

/** Less time than this is not enough for any provider, so that its silence is not its fault. */
const fairMs = 1_000

export interface SearchTimes {
  /** For one provider, in milliseconds. */
  readonly providerMs: number
  /** For a whole search with all its providers. */
  readonly totalMs: number
}

export interface AskProvidersDependencies {
  readonly clock: Clock
  readonly logger: Logger
  readonly observer: SearchObserver
}

/** A question to providers in the given order, until one of them finds something. */
export type AskProviders = (
  question: ProvidersQuestion,
  providers: readonly SearchProvider[],
  signal: AbortSignal,
) => Promise<SearchOutcome>

interface ProvidersQuestion {
  readonly query: string
  readonly wishes: SearchWishes
  readonly times: SearchTimes
}

/** Remembers by itself which providers failed lately. Rejects with what the caller's signal says, and for nothing else. */
export function createAskProviders({ clock, logger, observer }: AskProvidersDependencies): AskProviders {
  /** A provider that a new configuration left out is forgotten with its breaker. */
  const breakers = new WeakMap<SearchProvider, ProviderBreaker>()

  function breakerOf(provider: SearchProvider): ProviderBreaker {
    const breaker = breakers.get(provider) ?? createProviderBreaker()
    breakers.set(provider, breaker)
    return breaker
  }

  return async ({ query, wishes, times }, providers, signal) => {
    const untilMs = clock.monotonic() + times.totalMs
    const failures: FailedProvider[] = []
    for (const provider of providers) {
      const leftMs = untilMs - clock.monotonic()
      if (leftMs <= 0) break
      const breaker = breakerOf(provider)
      if (!breaker.mayAsk(clock.monotonic())) {
        failures.push({ provider: provider.name, kind: 'suspended' })
        continue
      }
      const waitMs = Math.ceil(Math.min(times.providerMs, leftMs))
      const answer = await askOne(provider, { query, wishes, waitMs, breaker }, signal)
      if ('results' in answer) return { provider: provider.name, results: answer.results.slice(0, wishes.limit) }
      failures.push({ provider: provider.name, kind: answer.failure })
    }
    const reason = (['empty', 'timeout'] as const).find(one => failures.some(({ kind }) => kind === one))
    return { reason: reason ?? 'unavailable', failures }
  }

  async function askOne(
    provider: SearchProvider,
    { query, wishes, waitMs, breaker }: OneQuestion,
    signal: AbortSignal,
  ): Promise<ProviderAnswer> {
    const startedMs = clock.monotonic()
    const deadline = lastingTimeout(waitMs)
    const answer = await answerOf(provider.search(query, wishes, AbortSignal.any([signal, deadline])), deadline).catch(
      (error: unknown) => {
        breaker.gaveUp()
        signal.throwIfAborted()
        throw error
      },
    )
    const tookMs = clock.monotonic() - startedMs
    if ('results' in answer) {
      if (breaker.isOpen) logger.info('search.provider_resumed', { provider: provider.name })
      breaker.succeeded()
      observer.asked(provider.name, 'found', tookMs)
      return answer
    }
    observer.asked(provider.name, answer.failure, tookMs)
    if (answer.failure === 'timeout' && waitMs < fairMs) breaker.gaveUp()
    else breaker.failed(answer.failure, clock.monotonic(), answer.retryAfterMs)
    report(provider.name, answer.failure, tookMs)
    return answer
  }

  function report(provider: string, kind: SearchFailureKind, tookMs: number): void {
    if (kind === 'empty') return
    const fields = { provider, kind, tookMs: Math.round(tookMs) }
    if (kind === 'unauthorised') logger.error('search.provider_misconfigured', fields)
    else logger.warn('search.provider_failed', fields)
  }
}

interface OneQuestion {
  readonly query: string
  readonly wishes: SearchWishes
  readonly waitMs: number
  readonly breaker: ProviderBreaker
}

/** What runs out of its own time is an answer of its own kind; only the caller's signal ends the search. */
async function answerOf(asked: Promise<ProviderAnswer>, deadline: AbortSignal): Promise<ProviderAnswer> {
  try {
    return await asked
  } catch (error) {
    if (deadline.aborted) return { failure: 'timeout', retryAfterMs: null }
    throw error
  }
}
