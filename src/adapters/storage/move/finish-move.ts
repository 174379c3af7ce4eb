import { failpoint } from '../../../lib/failpoint.ts'
import { readMoveMark, writeMoveMark } from '../sql/move-mark.ts'
import type { Sql } from '../sql/tables.ts'
import { writeAlone } from './begin-move.ts'
import { copyAnswers, forgetGoneAnswers } from './copy-answers.ts'
import { copyRecords } from './copy-records.ts'
import { copyRest } from './copy-rest.ts'
import { copyTransfers } from './copy-transfers.ts'
import { followPruning, replaceSwept } from './correct-records.ts'
import type { BookCounts } from './count-books.ts'
import type { Move } from './move.ts'
import type { TakenSource } from './take-source.ts'
import { nothingVerifiedYet, type VerifiedParts, verifyArrived } from './verify-move.ts'

/**
 * The last step, while nobody changes the source: everything that is left, verified, in one transaction. Then the source is
 * marked as left, and only then the target may be opened: at every moment at most one of the two is.
 * @throws BooksDiffer, after which both stores are as before.
 */
export async function finishMove(move: Move, taken: TakenSource, parts: VerifiedParts): Promise<BookCounts> {
  const { mark, clock, report } = move
  const left = await readMoveMark(taken.sql)
  if (left !== null && left.moveId !== mark.moveId)
    throw new Error('the SQLite store was moved to another database in between')
  report({ step: 'finishing' })
  const counts = await writeAlone(move, async filled => {
    const { corrected } = await copyEverything(move, filled)
    const verified = await verifyArrived(move, filled, corrected ? nothingVerifiedYet : parts)
    failpoint('move.before_commit')
    return verified
  })
  failpoint('move.after_commit')
  const atMs = clock.now()
  await writeMoveMark(taken.sql, { ...mark, state: 'left', atMs })
  taken.commit()
  failpoint('move.source_left')
  await writeAlone(move, filled => writeMoveMark(filled, { ...mark, state: 'complete', atMs }))
  return counts
}

const everyNumber = 2n ** 63n - 1n

/** `corrected` says that something changed of what had been verified. */
async function copyEverything(move: Move, filled: Sql): Promise<{ readonly corrected: boolean }> {
  const write = <Value>(run: (target: Sql) => Promise<Value>) => run(filled)
  await copyTransfers(move, write)
  await copyRecords(move, write)
  const replaced = await replaceSwept(move, filled)
  const pruned = await followPruning(move, write, everyNumber)
  await forgetGoneAnswers(move.clock.now(), filled)
  await copyAnswers(move, { write, withRunning: true })
  await copyRest(move, filled)
  return { corrected: replaced || pruned }
}
