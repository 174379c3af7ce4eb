import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { measureRetrieval } from '../../bench/retrieval-measures.ts'
import { openPostgresIndex } from '../../src/adapters/search/index/postgres/postgres-index.ts'
import { openSqliteIndex } from '../../src/adapters/search/index/sqlite/sqlite-index.ts'
import type { SearchIndex } from '../../src/domain/search/search-index.ts'
import { Secret } from '../../src/lib/secret.ts'
import { atEnd } from '../support/at-end.ts'
import { createDatabase, describePostgres } from '../support/postgres/index.ts'
import { fillWithHandbook, labelledQuestions } from './retrieval/labelled-questions.ts'

async function measured(index: SearchIndex) {
  atEnd(() => index.close())
  await fillWithHandbook(index)
  return (await measureRetrieval(index, labelledQuestions)).measures
}

it('the index beside a store in a file finds the pages that answer questions, in each language', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-retrieval-'))
  const [all, ...languages] = await measured(openSqliteIndex(join(folder, 'search.db')))
  expect(labelledQuestions.length).toBeGreaterThanOrEqual(40)
  expect(all?.amongFive).toBeGreaterThanOrEqual(0.9)
  for (const { group, amongFive } of languages) expect([group, amongFive >= 0.75]).toEqual([group, true])
})

describePostgres('the index in PostgreSQL', () => {
  it('finds them as well', async () => {
    const [all] = await measured(openPostgresIndex(new Secret((await createDatabase()).url)))
    expect(all?.amongFive).toBeGreaterThanOrEqual(0.9)
  })
})

it('docs/web-search.md has the figures', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/web-search.md'), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'rialto-retrieval-'))
  const measures = await measured(openSqliteIndex(join(folder, 'search.db')))
  const rows = measures.map(({ group, questions, first, amongFive }) => [
    ...[group, `${questions}`, first.toFixed(3), amongFive.toFixed(3)],
  ])
  const table = page.slice(page.indexOf('| Questions'), page.indexOf('## How `auto` decides'))
  const shown = [...table.matchAll(/^\| ([a-z]+) +\| (\d+) +\| (\d\.\d{3}) +\| (\d\.\d{3}) +\|$/gm)]
  expect(shown.map(([, ...cells]) => cells)).toEqual(rows)
})
