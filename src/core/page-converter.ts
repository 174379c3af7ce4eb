import type { AccountId } from './ids.ts'

/** What an HTML page says. */
interface PageText {
  readonly title: string
  readonly date: string | null
  readonly language: string | null
  /** Markdown; empty where the page holds no text. */
  readonly text: string
}

/** Port: turns the bytes of an HTML page into its readable text. */
export interface PageConverter {
  /** Null for a page that could not be read. Rejects with what the signal says, and for nothing else. */
  convert(page: FetchedPage, signal: AbortSignal): Promise<PageText | null>
}

interface FetchedPage {
  readonly bytes: Uint8Array
  /** What its server says of its coding; null where it says nothing. */
  readonly charset: string | null
  readonly accountId: AccountId
}
