import { sql } from 'kysely'
import { failpoint } from '../../../lib/failpoint.ts'
import { readMoveMark } from '../sql/move-mark.ts'
import { writeAlone } from './begin-move.ts'
import { copyAnswers } from './copy-answers.ts'
import { copyRecords } from './copy-records.ts'
import { copyTransfers } from './copy-transfers.ts'
import { copyAccountsAndPrices } from './copy-whole.ts'
import { followPruning } from './correct-records.ts'
import { createDays } from './create-days.ts'
import type { Move, Write } from './move.ts'
import { nothingVerifiedYet, type VerifiedParts, verifySettled } from './verify-move.ts'

/** A pass that was as short as this left little behind; under more load than can be copied, so many are enough. */
const shortPassMs = 1_000
const passesMax = 10

/**
 * Copies and verifies what never changes any more while the gateway goes on, again and again until little is left for its
 * end. Returns what was verified.
 * @throws BooksDiffer when the source does not agree with itself.
 */
export async function copyWhileRunning(move: Move): Promise<VerifiedParts> {
  await createDays(move)
  let parts = nothingVerifiedYet
  for (let pass = 1; pass <= passesMax; pass++) {
    const startedMs = move.clock.monotonic()
    await copySettled(move)
    if (pass === 1) await writeAlone(move, filled => sql`analyze transfers, usage_records`.execute(filled))
    parts = await verifySettled(move, parts)
    if (move.clock.monotonic() - startedMs < shortPassMs) break
  }
  return parts
}

/** Copies what was settled since the last time, each page in a transaction of its own. */
export async function copySettled(move: Move): Promise<void> {
  const write: Write = async run => {
    const value = await writeAlone(move, run)
    failpoint('move.page')
    return value
  }
  await copyAccountsAndPrices(move, write)
  await copyTransfers(move, write)
  await copyRecords(move, write)
  await followPruning(move, write, BigInt((await write(readMoveMark))?.recordsThrough ?? 0))
  await copyAnswers(move, { write, withRunning: false })
}
