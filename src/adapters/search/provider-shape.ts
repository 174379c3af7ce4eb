import type { RawResult } from '../../domain/search/clean-results.ts'
import type { SearchWishes } from '../../domain/search/types.ts'
import type { JsonValue } from '../../lib/json.ts'

/** A question to a provider, before its address and the ordinary headers. */
export interface ProviderRequest {
  /** Below the provider's address, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON by POST; null is a GET. */
  readonly body: JsonValue | null
}

/** One question of a search; a search has several where a provider gives too few results at once. */
export interface ProviderQuestion {
  readonly query: string
  readonly wishes: SearchWishes
  /** Empty for a provider that has none. */
  readonly key: string
  /** The first is 1. */
  readonly page: number
  /** Wall time, for providers that take dates. */
  readonly nowMs: number
}

/** How one provider is asked and what it answers, from its public documentation. Pure. */
export interface ProviderShape {
  readonly name: string
  /** Without a trailing slash. */
  readonly usualAddress: string
  /** Results that one search can give. */
  readonly resultsMax: number
  /** Questions for one search; 1 where a question says how many results it wants. */
  readonly pagesMax: number
  encode(question: ProviderQuestion): ProviderRequest
  /** @throws ZodError for what is no answer of this provider */
  decode(answer: JsonValue): readonly RawResult[]
}

/** Path and query, without the members that are null. */
export function pathWith(path: string, members: Readonly<Record<string, string | number | null>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) if (value !== null) query.set(name, String(value))
  return `${path}?${query}`
}
