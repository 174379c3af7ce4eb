import { sql } from 'kysely'
import type { EngineTraits } from '../sql/engine-traits.ts'
import { faultOf } from './postgres-fault.ts'
import { addRecordColumns } from './usage/add-record-columns.ts'
import { defaultPartition } from './usage/day-partitions.ts'

export const postgresTraits: EngineTraits = {
  integer: 'bigint',
  real: 'double precision',
  bytes: 'bytea',
  autoNumber: column => column.generatedByDefaultAsIdentity(),
  tableEnd: sql``,
  addRecordColumns,
  farRecords: defaultPartition,
  isTaken: error => faultOf(error) === 'taken',
}
