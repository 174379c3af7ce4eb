/** Something that all gateways of an installation hold in common, replaced as a whole. */
export interface SharedDocument {
  readonly name: string
  /** From 1. Of two versions, of one document or of two, the greater was written later. */
  readonly version: number
  /** Null when it was sealed with another secret than this gateway's. */
  readonly content: Buffer | null
}

export interface SharedSnapshot {
  /** Of the last change of any document; 0 when there was none. */
  readonly version: number
  readonly documents: readonly SharedDocument[]
}

/** One document's bytes at most: a configuration of 1 MiB as JSON text, and what is kept with it. */
export const documentBytesMax = 4_194_304

/** Documents that a store may hold; more are not read. */
export const documentsMax = 16
