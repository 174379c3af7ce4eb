import { StoreConflict, StoreUnavailable } from '../../core/store-error.ts'
import type { SharedDocuments } from './shared-documents.ts'
import type { SharedDocument } from './types.ts'

/** Writers of one document at the same moment are people; so many are none. */
const attemptsMax = 20

export interface DocumentChange<Outcome> {
  /** Null leaves the document as it is. */
  readonly content: Buffer | null
  readonly outcome: Outcome
}

/**
 * Changes a document on the ground of what it says now; null where there is none. `change` is called again when somebody
 * else was quicker. Repeating a change whose answer was lost is safe when `change` then finds nothing to do.
 * @throws StoreUnavailable
 */
export async function changeDocument<Outcome>(
  documents: SharedDocuments,
  name: string,
  change: (found: SharedDocument | null) => DocumentChange<Outcome>,
): Promise<Outcome> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const found = (await documents.readSince(0)).documents.find(document => document.name === name)
    const { content, outcome } = change(found ?? null)
    if (content === null) return outcome
    try {
      await documents.write(name, content, found?.version ?? 0)
      return outcome
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error
    }
  }
  throw new StoreUnavailable('others write the same document all the time')
}

/** The bytes of a document that exists. @throws Error when they were sealed with another secret */
export function openContent({ name, content }: SharedDocument): Buffer {
  if (content !== null) return content
  throw new Error(
    `${name} was stored under another secret: all gateways of an installation need the same RIALTO_SECRET`,
  )
}
