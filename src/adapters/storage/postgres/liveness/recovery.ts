import type { HoldId } from '../../../../core/ids.ts'
import type { IdempotencyStore } from '../../../../domain/idempotency/idempotency-store.ts'
import type { LedgerStore } from '../../../../domain/ledger/ledger-store.ts'
import type { RecoveryReport } from '../../../../domain/ledger/types.ts'
import type { GroupClient } from '../../groups/group-client.ts'
import { type AbandonedKey, endKeys } from '../../sql/stores/recover-idempotency-keys.ts'
import type { PostgresSql } from '../kysely-on-postgres.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { findDeadHolds, findDeadKeys, findHoldsOf, findKeysOf, foundAtOnce } from './abandoned.ts'
import type { Membership } from './membership.ts'

/** Holds of this process that one run compares with what it knows; the next run goes on after them. */
const comparedAtOnce = 1_000

export interface RecoveryOptions {
  readonly pool: Pick<PostgresPool, 'query'>
  readonly sql: PostgresSql
  readonly writer: Pick<GroupClient, 'run'>
  readonly member: Pick<Membership, 'own' | 'replayWith'>
}

export type Recovery = Pick<LedgerStore, 'recover'> & { readonly recoverKeys: IdempotencyStore['recover'] }

/**
 * Resolves what nobody is going to end: what processes without a lease left open, and what this one finds in the store
 * under its own name and does not run. That comes from answers that were lost, so it is looked for again and again.
 */
export function createRecovery({ pool, sql, writer, member }: RecoveryOptions): Recovery {
  const { own } = member
  const journals = member.replayWith(settlement => writer.run({ kind: 'settle', settlement }))
  let afterSeq = '0'

  async function resolve(holdIds: readonly HoldId[], atMs: number): Promise<RecoveryReport> {
    if (holdIds.length === 0) return none
    const abandoned = { kind: 'listed', holdIds } as const
    return await writer.run({ kind: 'resolve', abandoned, atMs, limit: holdIds.length })
  }

  async function nextUnknown(): Promise<readonly HoldId[]> {
    if (own === null) return []
    const found = await findHoldsOf(pool, own.processId, { afterSeq, limit: comparedAtOnce })
    afterSeq = found.length < comparedAtOnce ? '0' : (found.at(-1)?.seq ?? '0')
    return found.map(({ id }) => id).filter(id => !own.known.holds.has(id))
  }

  /** What is known is asked again after the answer came: a key may have been claimed meanwhile. */
  async function unknownKeys(): Promise<readonly AbandonedKey[]> {
    if (own === null) return []
    const found = await findKeysOf(pool, own.processId, own.known.keys)
    return found.filter(key => !own.known.keys.has(key.hold_id))
  }

  async function end(keys: readonly AbandonedKey[], expiresAtMs: number): Promise<void> {
    if (keys.length > 0) await sql.transaction(db => endKeys(db, keys, expiresAtMs))
  }

  return {
    async recover(processId, atMs) {
      // What is known exactly comes before what is only known to the last mark.
      await journals.run()
      let total = await resolve(await nextUnknown(), atMs)
      for (;;) {
        const report = await resolve(await findDeadHolds(pool, processId), atMs)
        total = { charged: total.charged + report.charged, released: total.released + report.released }
        // Nothing more, or others are at it.
        if (report.charged + report.released === 0) return total
      }
    },
    async recoverKeys(processId, expiresAtMs) {
      await end(await unknownKeys(), expiresAtMs)
      for (;;) {
        const keys = await findDeadKeys(pool, processId)
        await end(keys, expiresAtMs)
        if (keys.length < foundAtOnce) return
      }
    },
  }
}

const none: RecoveryReport = { charged: 0, released: 0 }
