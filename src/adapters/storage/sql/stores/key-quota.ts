import type { ApiKey, KeyQuota } from '../../../../domain/identity/types.ts'
import { fromDbNumber, type RawInteger } from '../mapping.ts'
import type { Sql } from '../tables.ts'

/**
 * What of the quota another key would exceed; null when there is room. To be called in the transaction that makes the key:
 * the account's row is held until its end, so that two who count at once do not both find the last place.
 */
export async function findExcess(
  db: Sql,
  { accountId, createdAtMs }: ApiKey,
  quota: KeyQuota,
): Promise<'too_many_active' | 'too_many_new' | null> {
  await db
    .updateTable('accounts')
    .set(where => ({ name: where.ref('name') }))
    .where('id', '=', accountId)
    .execute()
  const keys = db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.no', 'api_keys.account_no')
    .select(({ fn }) => fn.countAll<RawInteger>().as('keys'))
    .where('accounts.id', '=', accountId)
  const made = await keys.where('api_keys.created_at_ms', '>', quota.newSinceMs).executeTakeFirstOrThrow()
  if (fromDbNumber(made.keys) >= quota.newMax) return 'too_many_new'
  const active = await keys
    .where('revoked_at_ms', 'is', null)
    .where(where => where.or([where('expires_at_ms', 'is', null), where('expires_at_ms', '>', createdAtMs)]))
    .executeTakeFirstOrThrow()
  return fromDbNumber(active.keys) >= quota.activeMax ? 'too_many_active' : null
}
