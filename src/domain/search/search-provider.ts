import type { SearchFailureKind, SearchResult, SearchWishes } from './types.ts'

/** Results, of which there is at least one, in the provider's order; or the reason why there are none. */
export type ProviderAnswer =
  | { readonly results: readonly SearchResult[] }
  | {
      readonly failure: SearchFailureKind
      /** How long it wants to be left alone, in milliseconds; null when it does not say. */
      readonly retryAfterMs: number | null
    }

/** Port: somebody who finds pages. */
export interface SearchProvider {
  /** Names it in the configuration, in metrics and in the log. */
  readonly name: string
  /**
   * `query` has 1 to 400 characters. At most `limit` results, cleaned, without repeated addresses.
   * Rejects with what the signal says, and for nothing that a provider does.
   */
  search(query: string, wishes: SearchWishes, signal: AbortSignal): Promise<ProviderAnswer>
  /** Whether asking makes sense at all: an index without a document has nothing to find. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}
