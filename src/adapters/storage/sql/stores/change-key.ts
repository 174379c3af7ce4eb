import { sql, type Updateable } from 'kysely'
import type { KeyId } from '../../../../core/ids.ts'
import { periodStart } from '../../../../domain/admission/limit-period.ts'
import type { IdentityStore } from '../../../../domain/identity/identity-store.ts'
import type { KeyChange, LimitPeriod } from '../../../../domain/identity/types.ts'
import type { ApiKeysTable, Sql } from '../tables.ts'

type Owner = Parameters<IdentityStore['changeKey']>[2]

const dayMs = 86_400_000

/** To be called inside one transaction: the first statement holds the key's row, so that no charge comes in between. */
export async function changeKey(db: Sql, id: KeyId, change: KeyChange, { accountId, nowMs }: Owner): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set(where => ({ label: where.ref('label'), ...toDbChange(change) }))
    .where('id', '=', id)
    .where('account_no', '=', where => where.selectFrom('accounts').select('no').where('id', '=', accountId))
    .where('revoked_at_ms', 'is', null)
    .where(where => where.or([where('expires_at_ms', 'is', null), where('expires_at_ms', '>', nowMs)]))
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  if (change.period !== undefined) await beginPeriod(db, id, { period: change.period, nowMs })
  return true
}

/** What was spent is counted again from the sums, so that a limit cannot be escaped by naming another period. */
async function beginPeriod(
  db: Sql,
  id: KeyId,
  { period, nowMs }: { readonly period: LimitPeriod; readonly nowMs: number },
): Promise<void> {
  const startMs = periodStart(period, nowMs)
  const spent = (what: string) => sql<bigint>`(
    select cast(coalesce(sum(${sql.raw(what)}), 0) as bigint) from usage_days
    where key_no = api_keys.no and day >= ${Math.floor(startMs / dayMs)}
  )`
  await db
    .updateTable('api_keys')
    .set({
      period,
      period_start_ms: startMs,
      spent_nano: spent('cost_nano - diem_nano'),
      spent_diem_nano: spent('diem_nano'),
    })
    .where('id', '=', id)
    .where('period', '<>', period)
    .execute()
}

function toDbChange(change: KeyChange): Updateable<ApiKeysTable> {
  return {
    ...(change.label !== undefined && { label: change.label }),
    ...(change.limitNano !== undefined && { limit_nano: change.limitNano }),
    ...(change.limitDiemNano !== undefined && { limit_diem_nano: change.limitDiemNano }),
    ...(change.privacy !== undefined && { privacy: change.privacy }),
    ...(change.expiresAtMs !== undefined && { expires_at_ms: change.expiresAtMs }),
  }
}
