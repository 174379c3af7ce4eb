import { sql } from 'kysely'
import type { EngineTraits } from '../sql/engine-traits.ts'
import { faultOf } from './sqlite-fault.ts'

/** STRICT tables refuse text in an integer column and a fraction in an amount. */
export const sqliteTraits: EngineTraits = {
  integer: 'integer',
  real: 'real',
  bytes: 'blob',
  tableEnd: sql`strict`,
  isTaken: error => faultOf(error) === 'taken',
}
