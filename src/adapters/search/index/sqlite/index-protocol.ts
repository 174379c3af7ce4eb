import type { DocumentToIndex, FoundChunk, IndexedDocument } from '../../../../domain/search/search-index.ts'

/** What the thread of the index can be asked. A type, since an interface has no index signature. */
export type IndexQuestions = {
  put: (document: DocumentToIndex) => 'kept' | 'full'
  remove: (address: string) => boolean
  read: (address: string) => DocumentToIndex | null
  list: (page: { after: string | null; limit: number }) => readonly IndexedDocument[]
  find: (question: { query: string; limit: number }) => readonly FoundChunk[]
  isEmpty: (nothing: null) => boolean
  close: (nothing: null) => null
}

/** The thread asks nothing. */
export type NoQuestions = Record<never, never>

export interface IndexStart {
  readonly path: string
}
