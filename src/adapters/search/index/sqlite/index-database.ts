import { closeSync, existsSync, openSync } from 'node:fs'
import Database from 'libsql'
import {
  type DocumentToIndex,
  type FoundChunk,
  type IndexedDocument,
  indexChunksMax,
} from '../../../../domain/search/search-index.ts'
import type { Chunk } from '../../../../domain/search/text/cut-document.ts'
import { indexWords, queryWords } from '../../../../domain/search/text/index-words.ts'
import { shareOfWords } from '../../../../domain/search/text/share-of-words.ts'
import { fieldWeights, wordsMax } from '../query-bounds.ts'

/** Another process may be adding a document of two thousand parts. */
const busyTimeoutMs = 5_000
const ownerOnly = 0o600

/** The words are cut by `indexWords`; the tokeniser only has to part them at their spaces and to leave them as they are. */
const schema = `
  create table if not exists documents (
    no integer primary key, address text not null unique, title text not null, chunks integer not null,
    added_at_ms integer not null);
  create table if not exists chunks (
    no integer primary key, document_no integer not null, heading text not null, text text not null);
  create index if not exists chunks_of_document on chunks (document_no);
  create virtual table if not exists words using fts5 (
    title, heading, text, content='', contentless_delete=1,
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'");`

/** The index in a file of SQLite: FTS5, ranked by its BM25. For a thread of its own, since every call blocks it. */
export function openIndexDatabase(path: string) {
  if (path !== ':memory:' && !existsSync(path)) closeSync(openSync(path, 'a', ownerOnly))
  const database = new Database(path, { timeout: busyTimeoutMs })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma trusted_schema = off')
  database.exec(schema)
  const run = (text: string, ...values: unknown[]) => database.prepare(text).run(...values)
  const rows = <Row>(text: string, ...values: unknown[]) => database.prepare(text).all(...values) as Row[]

  function remove(address: string): boolean {
    const [known] = rows<{ no: number }>('select no from documents where address = ?', address)
    if (known === undefined) return false
    run('delete from words where rowid in (select no from chunks where document_no = ?)', known.no)
    run('delete from chunks where document_no = ?', known.no)
    run('delete from documents where no = ?', known.no)
    return true
  }

  function insert({ address, title, chunks, addedAtMs }: DocumentToIndex): void {
    const added = 'insert into documents (address, title, chunks, added_at_ms) values (?, ?, ?, ?) returning no'
    const [document] = rows<{ no: number }>(added, address, title, chunks.length, addedAtMs)
    const addChunk = database.prepare('insert into chunks (document_no, heading, text) values (?, ?, ?) returning no')
    const addWords = database.prepare('insert into words (rowid, title, heading, text) values (?, ?, ?, ?)')
    for (const { heading, text } of chunks) {
      const { no } = addChunk.get(document?.no, heading, text) as { no: number }
      addWords.run(no, ...[title, heading, text].map(part => indexWords(part).join(' ')))
    }
  }

  const isFull = (more: number) =>
    (rows<{ total: number | null }>('select sum(chunks) total from documents')[0]?.total ?? 0) + more > indexChunksMax

  return {
    put(document: DocumentToIndex): 'kept' | 'full' {
      return inTransaction(database, () => {
        remove(document.address)
        if (isFull(document.chunks.length)) return 'full'
        insert(document)
        return 'kept'
      })
    },
    remove: (address: string) => inTransaction(database, () => remove(address)),
    read(address: string): DocumentToIndex | null {
      const [known] = rows<IndexedDocument & { no: number }>(documentText, address)
      if (known === undefined) return null
      const chunks = rows<Chunk>('select heading, text from chunks where document_no = ? order by no', known.no)
      return { address, title: known.title, addedAtMs: known.addedAtMs, chunks }
    },
    list: (after: string | null, limit: number) =>
      rows<IndexedDocument>(
        'select address, title, chunks, added_at_ms addedAtMs from documents where address > ? order by address limit ?',
        after ?? '',
        limit,
      ),
    find(query: string, limit: number): readonly FoundChunk[] {
      const words = queryWords(query, wordsMax)
      if (words.length === 0) return []
      const match = words.map(({ word, isPrefix }) => `"${word}"${isPrefix ? '*' : ''}`).join(' OR ')
      return rows<Omit<FoundChunk, 'share'>>(findText, match, limit).map(chunk => ({
        ...chunk,
        share: shareOfWords(words, `${chunk.title} ${chunk.heading} ${chunk.text}`),
      }))
    },
    isEmpty: () => rows('select 1 from documents limit 1').length === 0,
    close: () => void database.close(),
  }
}

const { title, heading, text } = fieldWeights
const documentText = 'select no, title, added_at_ms addedAtMs from documents where address = ?'
const findText = `
  select documents.address, documents.title, chunks.heading, chunks.text
  from words join chunks on chunks.no = words.rowid join documents on documents.no = chunks.document_no
  where words match ? order by bm25(words, ${title}, ${heading}, ${text}), chunks.no limit ?`

/** What fails half-way changed nothing; a document that does not fit leaves the one that it would have replaced. */
function inTransaction<Result>(database: Database.Database, task: () => Result): Result {
  database.exec('begin immediate')
  try {
    const result = task()
    database.exec(result === 'full' ? 'rollback' : 'commit')
    return result
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}
