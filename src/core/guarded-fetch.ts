/** What may be asked of an address that a caller, a page or a document named. */
export interface FetchRequest {
  readonly address: string
  /** The account for which it is fetched, or the operator: none gets all the fetches that are made at a time. */
  readonly owner: string
  /** Largest body in bytes, after its content encoding was taken off. */
  readonly bytesMax: number
  /** For everything together: names, connections, hops and the body. */
  readonly totalMs: number
  /** Hops that are followed, each judged like the address itself; 0 follows none. */
  readonly redirectsMax: number
  /** The media types that are wanted, as the header `accept` says them. */
  readonly accept: string
  /** Asked before each hop, the first included; left out, every hop that is judged well is made. */
  readonly mayVisit?: (hop: URL, signal: AbortSignal) => Promise<boolean>
  /**
   * Asked before each piece of the body is kept, after its content encoding was taken off; false ends the fetch as `busy`.
   * Never asked again once the fetch has ended. Left out, everything within `bytesMax` is kept.
   */
  readonly mayKeep?: (bytes: number) => boolean
}

export interface FetchedResource {
  readonly bytes: Buffer
  /** The declared media type in small letters without its parameters; null when none was declared. */
  readonly contentType: string | null
  /** The character encoding that the media type names, in small letters; null when it names none. */
  readonly charset: string | null
  /** Where the body came from, after all hops. */
  readonly address: string
}

/**
 * The only way to an address that did not come from the operator (invariant 9 of ARCHITECTURE.md). Only public addresses
 * are reached, and what the operator lists in `fetch.allowHosts`.
 * @throws FetchRefused for every reason but the caller's own signal
 */
export type GuardedFetch = (request: FetchRequest, signal: AbortSignal) => Promise<FetchedResource>

/** Why nothing was fetched. For the operator's log alone: told to callers, it would map networks that they cannot see. */
export type FetchRefusal =
  | 'address'
  | 'unreachable'
  | 'redirect'
  | 'status'
  | 'encoding'
  | 'too_large'
  | 'timeout'
  | 'busy'
  | 'not_welcome'

/** One text for every reason, so that nobody learns from it what lies behind an address. */
export class FetchRefused extends Error {
  readonly reason: FetchRefusal
  /** What the server answered, where that is the reason; null otherwise. */
  readonly status: number | null

  constructor(reason: FetchRefusal, options: ErrorOptions & { readonly status?: number } = {}) {
    super('The address cannot be fetched.', options)
    this.name = 'FetchRefused'
    this.reason = reason
    this.status = options.status ?? null
  }
}
