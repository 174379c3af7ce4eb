import type { IndexedDocument, SearchIndex } from '../domain/search/search-index.ts'

/** Rows of a list that are looked at at once. */
const pageRows = 500

/**
 * Makes an index hold what another one holds, and nothing else. What is the same already is not written again, so that
 * what was interrupted goes on where it stopped. Resolves with the number of documents.
 */
export async function copyIndex(source: SearchIndex, target: SearchIndex): Promise<number> {
  const missing = new Map<string, IndexedDocument>()
  for await (const document of documentsOf(target)) missing.set(document.address, document)
  let documents = 0
  for await (const { address, ...facts } of documentsOf(source)) {
    const known = missing.get(address)
    missing.delete(address)
    documents += 1
    if (known !== undefined && known.addedAtMs === facts.addedAtMs && known.chunks === facts.chunks) continue
    const document = await source.read(address)
    if (document !== null) await target.put(document)
  }
  for (const address of missing.keys()) await target.remove(address)
  return documents
}

export async function countDocuments(index: SearchIndex): Promise<number> {
  let documents = 0
  for await (const _ of documentsOf(index)) documents += 1
  return documents
}

async function* documentsOf(index: SearchIndex): AsyncGenerator<IndexedDocument> {
  for (let after: string | null = null; ; ) {
    const page: readonly IndexedDocument[] = await index.list(after, pageRows)
    yield* page
    if (page.length < pageRows) return
    after = page.at(-1)?.address ?? null
  }
}
