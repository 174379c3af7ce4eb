import { Buffer } from 'node:buffer'
import type { SharedDocuments } from '../../../domain/replicas/shared-documents.ts'
import type { SharedDocument } from '../../../domain/replicas/types.ts'
import type { Seal } from './seal.ts'

/** Documents are sealed on their way to the store; one that does not open is there without its content. */
export function sealDocuments(store: SharedDocuments, seal: Seal): SharedDocuments {
  return {
    async readSince(version) {
      const snapshot = await store.readSince(version)
      return { ...snapshot, documents: snapshot.documents.map(document => open(document, seal)) }
    },
    write: (name, content, seenVersion) => store.write(name, seal.close(content, contextOf(name)), seenVersion),
  }
}

function open(document: SharedDocument, seal: Seal): SharedDocument {
  if (document.content === null) return document
  try {
    // Between threads a Buffer arrives as a plain Uint8Array.
    return { ...document, content: seal.open(Buffer.from(document.content), contextOf(document.name)) }
  } catch {
    // The reader says so, once, and keeps what it had.
    return { ...document, content: null }
  }
}

/** Sealed bytes open only as the document that they were stored as. */
function contextOf(name: string): string {
  return `shared document ${name}`
}
