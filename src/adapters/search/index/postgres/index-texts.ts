import { fieldWeights } from '../query-bounds.ts'

/** Any number will do, as long as nothing else in the database locks by it. */
const schemaLock = 0x73656172

/**
 * Made when the first document is added, in the place of the store's own tables. Words are cut by `indexWords`, so that no
 * text search configuration of the server takes part.
 */
export const schemaText = `
  select pg_advisory_xact_lock(${schemaLock});
  create table if not exists search_documents (
    no bigint generated always as identity primary key, address text not null unique, title text not null,
    chunks integer not null, words bigint not null, added_at_ms bigint not null);
  create table if not exists search_chunks (
    no bigint generated always as identity primary key,
    document_no bigint not null references search_documents (no) on delete cascade,
    heading text not null, text text not null, word_count integer not null, words tsvector not null);
  create index if not exists search_chunks_of_document on search_chunks (document_no);
  create index if not exists search_chunks_words on search_chunks using gin (words);`

/** Chunks whose ranks are worked out; those that hold the rarest words of the query. */
const candidatesMax = 400

/** The usual constants of BM25, which SQLite's has as well. */
const saturation = 1.2
const lengthPart = 0.75

const { title, heading, text } = fieldWeights

/**
 * BM25 by hand. PostgreSQL's own ts_rank knows neither how rare a word is nor how long a text is, so that of two matches
 * the common word would weigh as much as the name that was asked for. $1: words, $2: each as a tsquery, $3: any of them,
 * $4: results at most.
 */
export const findText = `
  with totals as (
    select greatest(sum(chunks), 1)::float8 chunks, greatest(sum(words)::float8 / greatest(sum(chunks), 1), 1) length
    from search_documents
  ), terms as materialized (
    select term, pattern::tsquery as pattern, right(pattern, 2) = ':*' as is_prefix,
      ln(1 + (totals.chunks - found.chunks + 0.5) / (found.chunks + 0.5)) as rarity
    from unnest($1::text[], $2::text[]) as given (term, pattern), totals,
      lateral (select count(*)::float8 chunks from search_chunks where words @@ pattern::tsquery) found
  ), candidates as materialized (
    select no, words, word_count, held.rarity, held.share
    from search_chunks chunk, lateral (
      select coalesce(sum(rarity), 0) as rarity, count(*)::float8 / cardinality($1::text[]) as share
      from terms where chunk.words @@ terms.pattern) held
    where words @@ $3::tsquery order by held.rarity desc, no limit ${candidatesMax}
  ), counts as (
    select no, word_count, terms.rarity, sum(
      (select sum(case mark when 'A' then ${title} when 'B' then ${heading} else ${text} end)
        from unnest(entry.weights) mark)) as frequency
    from candidates, unnest(candidates.words) entry, terms
    where entry.lexeme = terms.term or (terms.is_prefix and starts_with(entry.lexeme, terms.term))
    group by no, word_count, terms.term, terms.rarity
  ), ranked as (
    select no, sum(counts.rarity * frequency * ${saturation + 1} / (frequency + ${saturation}
      * (${1 - lengthPart} + ${lengthPart} * word_count / totals.length))) as rank
    from counts, totals group by no
  )
  select document.address, document.title, chunk.heading, chunk.text, candidates.share
  from ranked join candidates using (no) join search_chunks chunk using (no) join search_documents document on document.no = chunk.document_no
  order by rank desc, chunk.no limit $4`

export const listText = `
  select address, title, chunks, added_at_ms::float8 as "addedAtMs" from search_documents
  where address collate "C" > $1 order by address collate "C" limit $2`

export const documentText = `
  select title, added_at_ms::float8 as "addedAtMs" from search_documents where address = $1`

export const chunksText = `
  select heading, text from search_chunks
  where document_no = (select no from search_documents where address = $1) order by no`
