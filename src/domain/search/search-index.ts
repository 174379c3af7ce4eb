import type { Chunk } from './text/cut-document.ts'

/** A document of the embedded index. */
export interface IndexedDocument {
  /** Names it: the page that it was read from, or `index:` and the path of a file. */
  readonly address: string
  readonly title: string
  readonly chunks: number
  readonly addedAtMs: number
}

export interface DocumentToIndex extends Omit<IndexedDocument, 'chunks'> {
  /** At least one. */
  readonly chunks: readonly Chunk[]
}

export interface FoundChunk extends Chunk {
  readonly address: string
  readonly title: string
  /** The part of the query's words that it holds in title, headings and text, 0 to 1. Worked out where the index lies. */
  readonly share: number
}

/** Port: documents of the operator that can be searched without anybody else. */
export interface SearchIndex {
  /** Replaces what was known of the same address. @throws IndexFull */
  put(document: DocumentToIndex): Promise<void>
  /** False where there is none of that address. */
  remove(address: string): Promise<boolean>
  /** A document as it was put; null where there is none of that address. */
  read(address: string): Promise<DocumentToIndex | null>
  /** By address; null begins, and at most `limit` come. */
  list(after: string | null, limit: number): Promise<readonly IndexedDocument[]>
  /** The chunks that fit best, the best first; at most `limit` (BM25, where title and headings count more than text). */
  find(query: string, limit: number): Promise<readonly FoundChunk[]>
  isEmpty(): Promise<boolean>
  close(): Promise<void>
}

/** Chunks of all documents together: some hundred megabytes of text. */
export const indexChunksMax = 200_000

export class IndexFull extends Error {
  override readonly name = 'IndexFull'

  constructor() {
    super(`The index holds ${indexChunksMax.toLocaleString('en-US')} parts of documents at most: remove some first.`)
  }
}
