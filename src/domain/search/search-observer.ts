import type { SearchFailureKind } from './types.ts'

/** Port: who wants to know how providers do. Learns no query and no result. */
export interface SearchObserver {
  /** A provider was asked and has answered, or did not in its time. */
  asked(provider: string, outcome: 'found' | SearchFailureKind, tookMs: number): void
  /** Where the outcome of a search came from: providers, an equal search that was running, or one that had ended. */
  looked(from: 'providers' | 'running' | 'cache'): void
}
