import type { Kysely } from 'kysely'
import type { EngineTraits } from '../engine-traits.ts'

/**
 * One step of the schema, applied once and never edited after a release. A migration speaks in column names of its own
 * time, so it does not use the types of today's tables.
 */
export interface Migration {
  readonly number: number
  readonly name: string
  up(sql: Kysely<unknown>, traits: EngineTraits): Promise<void>
}
