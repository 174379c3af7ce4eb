import { sql } from 'kysely'
import type { EngineTraits } from '../sql/engine-traits.ts'
import { addRecordColumns } from './add-record-columns.ts'
import { faultOf } from './sqlite-fault.ts'

/** STRICT tables refuse text in an integer column and a fraction in an amount. */
export const sqliteTraits: EngineTraits = {
  integer: 'integer',
  real: 'real',
  bytes: 'blob',
  autoNumber: column => column,
  tableEnd: sql`strict`,
  addRecordColumns,
  farRecords: 'usage_records',
  isTaken: error => faultOf(error) === 'taken',
}
