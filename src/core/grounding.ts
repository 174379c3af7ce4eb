/** How an answer names its sources: `[1]`, `^1^` or `^1,3^`, or not at all. */
export type MarkStyle = 'brackets' | 'carets'

/** What a request says of looking things up on the web. */
export interface GroundingWish {
  /** `auto` leaves it to the prompt. */
  readonly search: 'off' | 'on' | 'auto'
  /** Results at most, at least 1. */
  readonly results: number
  /** Whether pages whose addresses stand in the last question are read; then nothing is searched for. */
  readonly scrape: boolean
  /** Whether something is searched for all the same where none of these pages could be read. */
  readonly searchUnread: boolean
  /** Whether pages of the first results may be read too, each for its fee. */
  readonly readResults: boolean
  /** Null where the model is not asked to name its sources. */
  readonly marks: MarkStyle | null
  /** Whether the results are delivered as a tool call too. */
  readonly asDocuments: boolean
  /** What a gateway without search does: refuse the request, or answer without. */
  readonly withoutSearch: 'refuse' | 'answer'
}

/** Something that was read for an answer. Its texts come from the web and are to be trusted in nothing. */
export interface Source {
  readonly title: string
  readonly url: string
  readonly content: string
  /** As it was found; null where none was. */
  readonly date: string | null
  /** Whether the content is what the page itself says, read for this answer, and not a provider's extract of it. */
  readonly isPage: boolean
}

/**
 * Why an answer goes without what was asked for. `unsupported`: its model is given nothing from the web. `image`: nothing is
 * searched for where the last question holds one.
 */
export type GroundingError =
  | 'unavailable'
  | 'no_results'
  | 'timeout'
  | 'unreadable'
  | 'disallowed'
  | 'unsupported'
  | 'image'

/** What was looked up for an answer. */
export interface Grounding {
  readonly kind: 'search' | 'pages'
  /** What entered the prompt, in the order of the numbers that the model saw; the first is 1. */
  readonly sources: readonly Source[]
  /** Null when all went well. */
  readonly error: GroundingError | null
}
