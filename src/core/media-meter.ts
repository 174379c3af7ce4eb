import type { AccountId } from './ids.ts'

interface SuppliedMedium {
  readonly bytes: Uint8Array
  /** Whose turn it is, as for documents. */
  readonly accountId: AccountId
}

/** Port: how long a sound or a film is at most, by what is in it and not by what it says. */
export interface MediaMeter {
  /**
   * Seconds, 0 or more; null where they were not counted: of formats that are not known, of files that players might
   * understand in different ways, and when there is no room or no time for it now.
   * @throws AbortError when the signal aborts
   */
  secondsOf(medium: SuppliedMedium, signal: AbortSignal): Promise<number | null>
}
