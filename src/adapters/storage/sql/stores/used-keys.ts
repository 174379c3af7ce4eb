import type { AccountId, KeyId } from '../../../../core/ids.ts'
import { periodStart } from '../../../../domain/admission/limit-period.ts'
import type { UsedKey } from '../../../../domain/identity/types.ts'
import { fromDbAmount, fromDbNumber } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import { fromDbKey, type KeyWithAccount } from './account-mapping.ts'
import { readLastUses } from './last-uses.ts'

/** More than an account may make by itself; an operator can make more for it, and sees them all in `rialto key list`. */
const rowsMax = 1_000

interface UsedKeysQuery {
  /** Null for all of the account. */
  readonly keyId: KeyId | null
  readonly nowMs: number
}

/** Keys that count, the newest first. */
export async function readUsedKeys(
  db: Sql,
  accountId: AccountId,
  { keyId, nowMs }: UsedKeysQuery,
): Promise<readonly UsedKey[]> {
  const counted = db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.no', 'api_keys.account_no')
    .selectAll('api_keys')
    .select('accounts.id as account_id')
    .where('accounts.id', '=', accountId)
    .where('revoked_at_ms', 'is', null)
    .where(where => where.or([where('expires_at_ms', 'is', null), where('expires_at_ms', '>', nowMs)]))
    .orderBy('api_keys.no', 'desc')
    .limit(rowsMax)
  const rows = await (keyId === null ? counted : counted.where('api_keys.id', '=', keyId)).execute()
  const numbers = rows.map(row => ({ no: fromDbNumber(row.no), accountNo: fromDbNumber(row.account_no) }))
  const lastUses = await readLastUses(db, numbers)
  return rows.map(row => ({
    ...fromDbUsedKey(row, nowMs),
    lastUsedAtMs: lastUses.get(fromDbNumber(row.no)) ?? null,
  }))
}

function fromDbUsedKey(row: KeyWithAccount, nowMs: number): Omit<UsedKey, 'lastUsedAtMs'> {
  const key = fromDbKey(row)
  const isOver = periodStart(key.period, nowMs) > fromDbNumber(row.period_start_ms)
  return {
    key,
    spentNano: isOver ? 0n : fromDbAmount(row.spent_nano),
    spentDiemNano: isOver ? 0n : fromDbAmount(row.spent_diem_nano),
  }
}
