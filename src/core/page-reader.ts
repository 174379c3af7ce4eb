import type { AccountId } from './ids.ts'

/** A page of the web, as text. */
export interface ReadPage {
  /** One line; the host where the page has no title. */
  readonly title: string
  /** Where it was found, after all hops. */
  readonly url: string
  /** Markdown. */
  readonly content: string
  /** When it was published, as the page says; null where it does not. */
  readonly date: string | null
}

/**
 * `refused`: an address that is not read, whatever it answers. `disallowed`: its site does not let programs read it.
 * `failed`: one that could not be read.
 */
export type PageReading =
  | { readonly kind: 'page'; readonly page: ReadPage }
  | { readonly kind: 'refused' | 'disallowed' | 'failed' }

/** Port: what pages say that callers name. */
export interface PageReader {
  /** Rejects with what the signal says, and for nothing else. */
  read(address: string, accountId: AccountId, signal: AbortSignal): Promise<PageReading>
}
