/** How recent results have to be. */
type Freshness = 'day' | 'week' | 'month' | 'year'

/** What is wished of results beside the query. */
export interface SearchWishes {
  /** Results at most, 1 to `searchResultsMax`. */
  readonly limit: number
  /** The language of the query as ISO 639-1 has it (`en`, `zh`); null leaves it to the provider. */
  readonly language: string | null
  readonly freshness: Freshness | null
}

/** One result. Its texts come from the web: they were cleaned, and are to be trusted in nothing. */
export interface SearchResult {
  /** One line; never empty. */
  readonly title: string
  /** `http:` or `https:`, without credentials; of the operator's own files `index:` and their names. */
  readonly url: string
  /** What the provider shows of the page; may be empty. */
  readonly content: string
  /** As the provider writes it, in one line; null when it says none. */
  readonly date: string | null
}

/**
 * Why a provider gave nothing: it could not be reached or answered with an error of its own, it turned us away for asking
 * too much, it found nothing, it did not take the key, what it said was no answer, or it took too long.
 */
export type SearchFailureKind = 'down' | 'rate_limited' | 'empty' | 'unauthorised' | 'garbage' | 'timeout'

/** A provider that was asked in vain, or was not asked because it failed just before. */
export interface FailedProvider {
  readonly provider: string
  readonly kind: SearchFailureKind | 'suspended'
}

/** `empty`: somebody looked and found nothing. `timeout`: somebody may still be looking. `unavailable`: nobody could look. */
type SearchFailureReason = 'empty' | 'timeout' | 'unavailable'

/** What became of a search: results, of which there is at least one; or nothing, and why. */
export type SearchOutcome =
  | { readonly provider: string; readonly results: readonly SearchResult[] }
  | {
      readonly reason: SearchFailureReason
      readonly failures: readonly FailedProvider[]
    }

/** More than this no provider is asked for (venice.md §3). */
export const searchResultsMax = 20

/** What is longer is no query but a text; providers refuse it (venice.md §3). */
export const queryCharactersMax = 400
