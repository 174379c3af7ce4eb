import type { z } from 'zod'

/** What a client of one address must know, in schemas that stand beside the code which reads and writes them. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  readonly path: string
  /** Unique in the document; generators name functions after it. */
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly access: Access
  /** Meanings of the variables in the path. */
  readonly variables?: Texts
  readonly query?: z.ZodObject
  /** Meanings of the headers of the request. */
  readonly headers?: Texts
  /** JSON, unless another media type is named. */
  readonly body?: { readonly schema: z.ZodType; readonly required: boolean; readonly mediaType?: string }
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>
  /** Statuses of its failures, each of which the API describes. */
  readonly failures: readonly FailureStatus[]
}

/** Who may call: everybody, holders of any key, or holders of an admin key. */
type Access = 'public' | 'key' | 'admin'

export type Texts = Readonly<Record<string, string>>

export interface Answer {
  readonly description: string
  readonly headers?: Texts
  /** By media type; that of a stream describes the data of each event. */
  readonly content: Readonly<Record<string, z.ZodType>>
}

/** `4XX` stands for whatever else an engine refuses with. */
export type FailureStatus = number | '4XX'

/** One public API: its addresses, and how it fails. */
export interface Api {
  /** Begins the names of its parts in the document. */
  readonly name: string
  readonly operations: readonly Operation[]
  readonly failures: Readonly<Record<string, Answer>>
}
