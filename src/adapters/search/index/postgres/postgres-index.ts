import { Pool, type PoolClient } from 'pg'
import {
  type DocumentToIndex,
  type FoundChunk,
  type IndexedDocument,
  IndexFull,
  indexChunksMax,
  type SearchIndex,
} from '../../../../domain/search/search-index.ts'
import type { Chunk } from '../../../../domain/search/text/cut-document.ts'
import { queryWords } from '../../../../domain/search/text/index-words.ts'
import type { Secret } from '../../../../lib/secret.ts'
import { wordsMax } from '../query-bounds.ts'
import { chunksText, documentText, findText, listText, schemaText } from './index-texts.ts'
import { wordPattern, wordVector } from './word-vector.ts'

/** Beside those of the store, and only while something is searched or added. */
const connectionsMax = 2
const connectMs = 3_000
const idleMs = 5_000
const statementMs = 60_000

/** The index in the store's own database, with connections of its own: a search must not take those that move money. */
export function openPostgresIndex(url: Secret): SearchIndex {
  const pool = new Pool({
    connectionString: url.reveal(),
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: idleMs,
    query_timeout: statementMs,
    application_name: 'rialto',
    allowExitOnIdle: true,
  })
  // A connection that breaks while nobody uses it is replaced with the next use.
  pool.on('error', () => undefined)
  const rows = async <Row extends object>(text: string, values: unknown[]) => (await pool.query<Row>(text, values)).rows
  let known = false

  /** Whether anything was ever added; looking makes no tables. */
  async function isThere(): Promise<boolean> {
    if (known) return true
    const [found] = await rows<{ there: boolean }>(`select to_regclass('search_chunks') is not null as there`, [])
    known = found?.there === true
    return known
  }

  return {
    async put(document) {
      await inTransaction(pool, async client => {
        await client.query(schemaText)
        await replace(client, document)
      })
    },
    async remove(address) {
      if (!(await isThere())) return false
      return (await rows('delete from search_documents where address = $1 returning no', [address])).length > 0
    },
    async read(address) {
      const [known] = (await isThere()) ? await rows<IndexedDocument>(documentText, [address]) : []
      if (known === undefined) return null
      return {
        address,
        title: known.title,
        addedAtMs: known.addedAtMs,
        chunks: await rows<Chunk>(chunksText, [address]),
      }
    },
    async list(after, limit) {
      return (await isThere()) ? rows<IndexedDocument>(listText, [after ?? '', limit]) : []
    },
    async find(query, limit) {
      const words = queryWords(query, wordsMax)
      if (words.length === 0 || !(await isThere())) return []
      const patterns = words.map(wordPattern)
      return rows<FoundChunk>(findText, [words.map(({ word }) => word), patterns, patterns.join(' | '), limit])
    },
    async isEmpty() {
      return !(await isThere()) || (await rows('select 1 from search_documents limit 1', [])).length === 0
    },
    close: () => pool.end(),
  }
}

async function replace(client: PoolClient, { address, title, chunks, addedAtMs }: DocumentToIndex): Promise<void> {
  await client.query('delete from search_documents where address = $1', [address])
  const total = await client.query<{ chunks: number }>(
    'select coalesce(sum(chunks), 0)::int chunks from search_documents',
  )
  if ((total.rows[0]?.chunks ?? 0) + chunks.length > indexChunksMax) throw new IndexFull()
  const vectors = chunks.map(chunk => wordVector(title, chunk))
  const words = vectors.reduce((sum, { count }) => sum + count, 0)
  const added = await client.query<{ no: string }>(
    'insert into search_documents (address, title, chunks, words, added_at_ms) values ($1, $2, $3, $4, $5) returning no',
    [address, title, chunks.length, words, addedAtMs],
  )
  await client.query(
    `insert into search_chunks (document_no, heading, text, word_count, words)
     select $1, heading, text, word_count, words::tsvector
     from unnest($2::text[], $3::text[], $4::int[], $5::text[]) as given (heading, text, word_count, words)`,
    [
      added.rows[0]?.no,
      chunks.map(({ heading }) => heading),
      chunks.map(({ text }) => text),
      vectors.map(({ count }) => count),
      vectors.map(({ vector }) => vector),
    ],
  )
}

async function inTransaction(pool: Pool, task: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await task(client)
    await client.query('commit')
    client.release()
  } catch (error) {
    // Closing the connection takes back what it began.
    client.release(true)
    throw error
  }
}
