import type { SharedSnapshot } from './types.ts'

/** Port: the documents of an installation. Every method is one atomic step. */
export interface SharedDocuments {
  /** The documents that were written after this version, all at one moment; 0 gives every one. */
  readSince(version: number): Promise<SharedSnapshot>
  /**
   * Replaces a document whose version is still `seenVersion`, or makes it where that is 0. Resolves with its new version.
   * @throws StoreConflict when somebody else wrote it since. RangeError when it is longer than `documentBytesMax`.
   */
  write(name: string, content: Buffer, seenVersion: number): Promise<number>
}

/**
 * `listening`: hints come. `lost`: there is no connection for them now. `not_delivered`: something between this gateway and
 * the store lets none through.
 */
export type WatchState = 'listening' | 'lost' | 'not_delivered'

export interface DocumentWatcher {
  /** Documents may have been written, by this gateway or another. Hints may come late, in vain or never. */
  onHint(): void
  /** Called at least when the state changes. */
  onState(state: WatchState): void
}

/** Port: has the store tell of written documents, where it can. Returns what ends it. */
export type WatchDocuments = (watcher: DocumentWatcher) => () => void
