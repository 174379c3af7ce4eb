import { readMoveMark } from '../sql/move-mark.ts'
import { verifyLedger } from '../sql/verify/verify-ledger.ts'
import { BooksDiffer } from './books-differ.ts'
import { type BookCounts, countBooks } from './count-books.ts'
import { judgeMove } from './judge-move.ts'
import { type Move, rowsPerPage } from './move.ts'
import { checkMayCreate, readTargetState } from './open-target.ts'
import { createRowReader, listColumns, listTables } from './source-tables.ts'

type Rehearsal = Pick<Move, 'source' | 'target' | 'report'>

/**
 * Checks everything that can be checked without writing: that the move may begin, that PostgreSQL can hold every row, and that
 * the source's books agree.
 * @throws BooksDiffer, or Error with what stands in the way.
 */
export async function rehearse({ source, target, report }: Rehearsal): Promise<BookCounts> {
  const state = await target.snapshot(readTargetState)
  judgeMove({ sourceId: source.sourceId, left: await readMoveMark(source.sql), target: state })
  await target.snapshot(checkMayCreate)
  for (const name of listTables(source.database)) checkRows({ source, report }, name)
  report({ step: 'verifying' })
  const { problems } = await verifyLedger(source.snapshot)
  if (problems.length > 0) throw new BooksDiffer(problems.map(problem => `SQLite: ${problem}`))
  return await countBooks(source.sql)
}

function checkRows({ source, report }: Pick<Rehearsal, 'source' | 'report'>, name: string): void {
  const columns = listColumns(source.database, name)
  const read = createRowReader(source.database, name, columns)
  for (let afterRowId = -1n, seen = 0; ; ) {
    const { rows, lastRowId } = read({ afterRowId, limit: rowsPerPage })
    seen += rows.length
    report({ step: 'copying', table: name, rows: seen, of: seen })
    if (lastRowId === null) return
    afterRowId = lastRowId
  }
}
