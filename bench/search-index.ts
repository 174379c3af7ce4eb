import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteIndex } from '../src/adapters/search/index/sqlite/sqlite-index.ts'
import { fillWithHandbook, labelledQuestions } from '../test/search/retrieval/labelled-questions.ts'
import { measureRetrieval, renderRetrieval } from './retrieval-measures.ts'
import { measureStalls, renderStalls } from './search-stall.ts'

/**
 * `npx tsx bench/search-index.ts [--wrong] [--stall]`: how well the embedded index finds the page that answers a question;
 * with `--stall` how long its largest searches take, and keep the main thread, instead.
 */
const folder = await mkdtemp(join(tmpdir(), 'rialto-search-index-'))
const index = openSqliteIndex(join(folder, 'search-index.db'))
try {
  if (process.argv.includes('--stall')) {
    process.stdout.write(`${renderStalls(await measureStalls(index))}\n`)
  } else {
    await fillWithHandbook(index)
    const { measures, missed } = await measureRetrieval(index, labelledQuestions)
    process.stdout.write(`${renderRetrieval(measures)}\n`)
    if (process.argv.includes('--wrong')) process.stdout.write(missed.map(question => `missed  ${question}\n`).join(''))
  }
} finally {
  await index.close()
  await rm(folder, { recursive: true })
}
