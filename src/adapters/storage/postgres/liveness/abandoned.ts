import type { HoldId } from '../../../../core/ids.ts'
import type { AbandonedKey } from '../../sql/stores/recover-idempotency-keys.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { holdsLease } from './database-clock.ts'

type Database = Pick<PostgresPool, 'query'>

/** What one statement finds at most: a crash of thousands of requests must not become one long transaction. */
export const foundAtOnce = 256

/**
 * The processes that have rows of a kind, read by one step in an index for each of them, so that it costs the same however
 * many rows there are.
 */
function processesOf(table: 'holds' | 'idempotency_keys', condition: string): string {
  const first = `select process_id from ${table} where ${condition} order by process_id limit 1`
  const next = `
    select process_id from ${table} where ${condition} and process_id > owners.process_id order by process_id limit 1`
  return `
    with recursive owners as (
      (${first})
      union all
      select (${next}) from owners where owners.process_id is not null
    )`
}

const deadOwners = `
  select process_id from owners where process_id <> $1 and not ${holdsLease('owners.process_id')}`

/** Open holds of processes that are not this one and have no lease. */
export async function findDeadHolds(database: Database, processId: string): Promise<readonly HoldId[]> {
  const text = `
    ${processesOf('holds', 'true')}
    select id from holds where process_id in (${deadOwners}) order by seq limit ${foundAtOnce}`
  return (await database.query<{ id: HoldId }>(text, [processId])).map(({ id }) => id)
}

export interface OwnHold {
  readonly id: HoldId
  readonly seq: string
}

/** Open holds of one process in the order of their numbers, from after that number on. */
export async function findHoldsOf(
  database: Database,
  processId: string,
  page: { readonly afterSeq: string; readonly limit: number },
): Promise<readonly OwnHold[]> {
  const text = `select id, seq from holds where process_id = $1 and seq > $2 order by seq limit ${page.limit}`
  return await database.query(text, [processId, page.afterSeq])
}

/** A key is decided over when its hold is resolved, because what that was charged decides. */
const isResolved = 'not exists (select from holds where holds.id = k.hold_id)'

const selectKeys = `
  select k.account_id, k.route, k.key, k.hold_id, (rialto_find_record(k.hold_id)).cost_nano
  from idempotency_keys k`

/** Running keys of processes that are not this one and have no lease. */
export async function findDeadKeys(database: Database, processId: string): Promise<readonly AbandonedKey[]> {
  const text = `
    ${processesOf('idempotency_keys', "state = 'running'")}
    ${selectKeys}
    where k.state = 'running' and ${isResolved} and k.process_id in (${deadOwners}) limit ${foundAtOnce}`
  return await database.query(text, [processId])
}

/** Running keys of one process, but for those whose holds are named. */
export async function findKeysOf(
  database: Database,
  processId: string,
  but: ReadonlySet<HoldId>,
): Promise<readonly AbandonedKey[]> {
  const text = `
    ${selectKeys}
    where k.state = 'running' and ${isResolved} and k.process_id = $1 and k.hold_id <> all ($2) limit ${foundAtOnce}`
  return await database.query(text, [processId, [...but]])
}
