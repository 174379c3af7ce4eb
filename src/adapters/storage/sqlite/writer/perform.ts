import { StoreUnavailable } from '../../../../core/store-error.ts'
import type { SqliteDatabase } from '../connection.ts'
import { packError } from '../packed-error.ts'
import type { Operation, OperationResult, SqlStores, StoreCall } from '../protocol.ts'
import { runStoreCall } from '../sql-stores.ts'
import { faultOf } from '../sqlite-fault.ts'
import { admit, type DecideAdmission } from './admit.ts'
import type { LedgerUnit } from './ledger-unit.ts'
import type { PostTransfer } from './post-transfer.ts'
import { resolveAbandoned } from './resolve-abandoned.ts'
import { settle } from './settle.ts'

export interface Performer {
  readonly unit: LedgerUnit
  readonly database: SqliteDatabase
  readonly stores: SqlStores
  readonly decide: DecideAdmission
  readonly postTransfer: PostTransfer
  /** False while the log has no room: then nothing new may begin, and what runs may end. */
  readonly mayAdmit: () => boolean
}

/**
 * Runs one operation inside the group's transaction. What it refuses is its own result; a fault of the database is
 * thrown, because then the transaction as a whole is in doubt. Money's operations check everything before they change
 * anything, so a refusal of theirs leaves nothing behind; the others run in a savepoint.
 */
export function perform(performer: Performer, operation: Operation): OperationResult | Promise<OperationResult> {
  if (operation.kind === 'call') return performCall(performer, operation.call)
  try {
    return { value: performMoney(performer, operation) }
  } catch (error) {
    if (faultOf(error) !== 'other') throw error
    return { error: packError(error) }
  }
}

function performMoney(performer: Performer, operation: Exclude<Operation, { kind: 'call' }>): unknown {
  const { unit } = performer
  switch (operation.kind) {
    case 'admit':
      if (!performer.mayAdmit()) throw new StoreUnavailable('the ledger waits for its log to be folded')
      return admit(unit, operation.request, performer.decide)
    case 'settle':
      return settle(unit, operation.settlement)
    case 'mark': {
      const hold = unit.holds.find(operation.mark.holdId)
      if (hold !== null) unit.holds.mark(hold, operation.mark)
      return undefined
    }
    case 'post':
      return performer.postTransfer(unit, operation.transfer)
    case 'resolve':
      return resolveAbandoned(unit, operation.abandoned, operation)
    case 'probe':
      return undefined
  }
}

async function performCall({ unit, database, stores }: Performer, call: StoreCall): Promise<OperationResult> {
  unit.flush()
  database.exec('savepoint call')
  try {
    const value = await runStoreCall(stores, call)
    database.exec('release call')
    return { value }
  } catch (error) {
    if (faultOf(error) === 'unavailable' || faultOf(error) === 'fatal') throw error
    database.exec('rollback to call; release call')
    return { error: packError(error) }
  } finally {
    unit.forgetIdentities()
  }
}
