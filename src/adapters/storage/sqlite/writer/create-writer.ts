import type { Operation, OperationResult } from '../../groups/operations.ts'
import { createSqlStores } from '../../sql/sql-stores.ts'
import type { SqliteDatabase } from '../connection.ts'
import { createKysely } from '../kysely-on-libsql.ts'
import { sqliteTraits } from '../sqlite-traits.ts'
import type { DecideAdmission } from './admit.ts'
import { createLedgerUnit } from './ledger-unit.ts'
import type { createLogWatch } from './log-watch.ts'
import type { Performer } from './perform.ts'
import { createPostTransfer } from './post-transfer.ts'
import { runGroup } from './run-group.ts'

export interface Writer {
  /** Runs a group in one transaction; to be called again only after it resolved. */
  run(group: readonly Operation[]): Promise<OperationResult[]>
}

export interface WriterParts {
  readonly database: SqliteDatabase
  readonly decide: DecideAdmission
  readonly log: ReturnType<typeof createLogWatch>
}

/** The ledger's writer over a connection whose schema is up to date. */
export function createWriter({ database, decide, log }: WriterParts): Writer {
  const sql = createKysely(database)
  const performer: Performer = {
    unit: createLedgerUnit(database),
    database,
    // Whatever runs here runs inside the group's transaction, which is one moment.
    stores: createSqlStores(sql, read => read(sql), sqliteTraits),
    decide,
    postTransfer: createPostTransfer(database),
    mayAdmit: log.hasRoom,
  }
  return {
    run(group) {
      log.look()
      return runGroup(performer, group)
    },
  }
}
