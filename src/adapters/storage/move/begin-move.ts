import { sql } from 'kysely'
import type { Random } from '../../../core/random.ts'
import { migrate } from '../postgres/migrate.ts'
import { postgresMigrations } from '../postgres/migrations/index.ts'
import { type MoveMark, readMoveMark, writeMoveMark } from '../sql/move-mark.ts'
import type { Sql } from '../sql/tables.ts'
import { checkSameHistory } from './copy-transfers.ts'
import { judgeMove } from './judge-move.ts'
import type { Move } from './move.ts'
import { readTargetState } from './open-target.ts'
import { planTables } from './plan-table.ts'

export type MoveParts = Pick<Move, 'source' | 'target' | 'clock' | 'report'> & { readonly random: Random }

/** Makes the schema and writes the mark of this run, which takes the move over from one that was interrupted. */
export async function beginMove({ random, ...parts }: MoveParts): Promise<Move> {
  const { source, target, clock } = parts
  await migrate(target, postgresMigrations, clock.now())
  const tables = await target.snapshot(arrived => planTables(source.database, arrived))
  const mark = await target.transaction(async filled => {
    const state = await readTargetState(filled)
    judgeMove({ sourceId: source.sourceId, left: await readMoveMark(source.sql), target: state })
    await checkSameHistory(source.sql, filled)
    const claimed: MoveMark = {
      state: 'arriving',
      moveId: state.mark?.moveId ?? random.hex(idBytes),
      sourceId: source.sourceId,
      runId: random.hex(idBytes),
      recordsThrough: state.mark?.recordsThrough ?? 0,
      atMs: clock.now(),
    }
    await writeMoveMark(filled, claimed)
    return claimed
  })
  return { ...parts, tables, mark, swept: new Set(await target.snapshot(sweptNumbers)) }
}

/** Only a record that the sweeper wrote can change, and only once (`swept` in tables.ts). */
async function sweptNumbers(target: Sql): Promise<readonly bigint[]> {
  const rows = await target.selectFrom('usage_records').select('hold_seq').where('swept', '=', 1).execute()
  return rows.map(row => BigInt(row.hold_seq))
}

const idBytes = 12

/**
 * Runs in one transaction as long as this run of the command is the only one that fills the target: a later one takes over,
 * and the one before it must write no more.
 */
export function writeAlone<Value>({ target, mark }: Move, run: (filled: Sql) => Promise<Value>): Promise<Value> {
  return target.transaction(async filled => {
    await sql`select 1 from settings where name = 'move' for update`.execute(filled)
    const current = await readMoveMark(filled)
    if (current?.runId !== mark.runId) throw new Error('another `rialto migrate` has taken over: wait for it to end')
    return await run(filled)
  })
}
