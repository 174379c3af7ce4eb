import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { cleanResults, type RawResult } from '../../domain/search/clean-results.ts'
import type { ProviderAnswer, SearchProvider } from '../../domain/search/search-provider.ts'
import type { SearchFailureKind, SearchResult } from '../../domain/search/types.ts'
import { JsonError, parseJsonBytes } from '../../lib/json.ts'
import { parseRetryAfter } from '../../lib/retry-after.ts'
import type { Secret } from '../../lib/secret.ts'
import { createProviderLine, type LineAnswer, LineFault } from './provider-line.ts'
import type { ProviderQuestion, ProviderShape } from './provider-shape.ts'

export interface WebProviderOptions {
  readonly shape: ProviderShape
  /** Null takes the provider's own. */
  readonly address: string | null
  readonly apiKey: Secret | null
  readonly userAgent: string
  readonly clock: Clock
}

/** A provider that is asked over the network. Its answer is untrusted: bounded, parsed and cleaned before it is a result. */
export function createWebProvider({ shape, address, apiKey, userAgent, clock }: WebProviderOptions): SearchProvider {
  const line = createProviderLine({ address: address ?? shape.usualAddress, userAgent })
  const key = apiKey?.reveal() ?? ''

  async function askPage(question: PageQuestion, signal: AbortSignal): Promise<PageAnswer> {
    const answer = await line.ask(shape.encode({ ...question, key, nowMs: clock.now() }), signal)
    return readAnswer(shape, { ...answer, retryAfterMs: parseRetryAfter(answer.retryAfter, clock.now()) })
  }

  return {
    name: shape.name,
    async search(query, wishes, signal) {
      const limit = Math.min(wishes.limit, shape.resultsMax)
      const found: RawResult[] = []
      let results: readonly SearchResult[] = []
      for (let page = 1; page <= shape.pagesMax && results.length < limit; page += 1) {
        const answer = await failureInstead(askPage({ query, wishes: { ...wishes, limit }, page }, signal))
        // What a first page gave is worth more than why there is no second one.
        if (results.length > 0 && 'failure' in answer) break
        signal.throwIfAborted()
        if ('failure' in answer) return answer
        found.push(...answer.found)
        const known = results.length
        results = cleanResults(found, limit)
        if (results.length === known) break
      }
      return results.length === 0 ? { failure: 'empty', retryAfterMs: null } : { results }
    },
    isReady: async () => true,
    close: () => line.close(),
  }
}

type PageQuestion = Omit<ProviderQuestion, 'key' | 'nowMs'>
type PageAnswer = { readonly found: readonly RawResult[] } | Extract<ProviderAnswer, { readonly failure: unknown }>

async function failureInstead(asking: Promise<PageAnswer>): Promise<PageAnswer> {
  try {
    return await asking
  } catch (error) {
    return { failure: failureOf(error), retryAfterMs: null }
  }
}

interface TimedAnswer extends LineAnswer {
  readonly retryAfterMs: number | null
}

function readAnswer(shape: ProviderShape, { status, retryAfterMs, bytes }: TimedAnswer): PageAnswer {
  const failure = statusFailure(status)
  if (failure !== null) return { failure, retryAfterMs: failure === 'rate_limited' ? retryAfterMs : null }
  return { found: shape.decode(parseJsonBytes(bytes)) }
}

/** Null for an answer. 402 and 432, 433 say that the key has no credit left, which is a matter of the operator as well. */
function statusFailure(status: number): SearchFailureKind | null {
  if (status === 200) return null
  if (status === 429) return 'rate_limited'
  if ([401, 402, 403, 432, 433].includes(status)) return 'unauthorised'
  return status >= 500 ? 'down' : 'garbage'
}

function failureOf(error: unknown): SearchFailureKind {
  if (error instanceof LineFault) return error.kind
  if (error instanceof JsonError || error instanceof z.ZodError) return 'garbage'
  throw error
}
