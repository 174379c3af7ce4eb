import type { Operation, OperationResult } from '../../groups/operations.ts'
import { runStoreCall, type SqlStores, type StoreCall } from '../../sql/sql-stores.ts'
import type { SqliteDatabase } from '../connection.ts'
import { packError } from '../pack-error.ts'
import { faultOf } from '../sqlite-fault.ts'
import { admit, type DecideAdmission } from './admit.ts'
import type { LedgerUnit } from './ledger-unit.ts'
import { lowerHold } from './lower-hold.ts'
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
 * Runs one operation inside the group's transaction. Whatever it throws ends that transaction: the group is tried again
 * in halves until the operation stands alone, so that half an operation can never be written (see run-group.ts).
 */
export function perform(performer: Performer, operation: Operation): OperationResult | Promise<OperationResult> {
  const { unit } = performer
  switch (operation.kind) {
    case 'admit':
      if (!performer.mayAdmit()) return logIsFull
      return { value: admit(unit, operation.request, performer.decide) }
    case 'settle':
      return { value: settle(unit, operation.settlement) }
    case 'mark': {
      const hold = unit.holds.find(operation.mark.holdId)
      if (hold !== null) unit.holds.mark(hold, operation.mark)
      return done
    }
    case 'lower':
      lowerHold(unit, operation.hold)
      return done
    case 'post':
      return { value: performer.postTransfer(unit, operation.transfer) }
    case 'resolve':
      return { value: resolveAbandoned(unit, operation.abandoned, operation) }
    case 'call':
      return performCall(performer, operation.call)
    case 'probe':
      // A transaction that changes nothing succeeds on a full disk too.
      performer.database.exec('update ledger_head set id = id')
      return done
  }
}

const done: OperationResult = { value: undefined }

const logIsFull: OperationResult = {
  error: { name: 'StoreUnavailable', message: 'the ledger waits for its log to be folded' },
}

/** Statements of the portable stores come one by one, so a savepoint takes them back together. */
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
