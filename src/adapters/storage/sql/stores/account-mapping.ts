import type { Insertable, Selectable } from 'kysely'
import type { Account, ApiKey } from '../../../../domain/identity/types.ts'
import { parseJson } from '../../../../lib/json.ts'
import {
  fromDbAmount,
  fromDbAmountOrNull,
  fromDbFlag,
  fromDbNumber,
  fromDbNumberOrNull,
  fromDbWord,
  toDbFlag,
} from '../mapping.ts'
import type { ApiKeysTable, Tables } from '../tables.ts'

export function fromDbAccount(row: Selectable<Tables['accounts']>): Account {
  return {
    id: row.id,
    name: row.name,
    mode: fromDbWord(row.mode, ['soft', 'strict']),
    pro: fromDbFlag(row.pro),
    diemPerDayNano: fromDbAmount(row.diem_per_day_nano),
    createdAtMs: fromDbNumber(row.created_at_ms),
  }
}

/** A new account: nothing has moved yet. */
export function toDbAccount(account: Account): Insertable<Tables['accounts']> {
  return {
    id: account.id,
    name: account.name,
    mode: account.mode,
    pro: toDbFlag(account.pro),
    diem_per_day_nano: account.diemPerDayNano,
    balance_nano: 0n,
    held_nano: 0n,
    open_holds: 0,
    credited_nano: 0n,
    debited_nano: 0n,
    free_failure_hour: 0,
    free_failures: 0,
    created_at_ms: account.createdAtMs,
  }
}

/** A key's row together with the id of its account, which the row itself knows by number. */
export type KeyWithAccount = Selectable<ApiKeysTable> & { readonly account_id: string }

export function fromDbKey(row: KeyWithAccount): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    label: row.label,
    type: fromDbWord(row.type, ['inference', 'admin']),
    last6: row.last6,
    limitNano: fromDbAmountOrNull(row.limit_nano),
    limitDiemNano: fromDbAmountOrNull(row.limit_diem_nano),
    period: fromDbWord(row.period, ['epoch', 'month', 'lifetime']),
    privacy: fromDbWord(row.privacy, ['all', 'private_text', 'private_only']),
    allowedModels: row.allowed_models === null ? null : fromDbModels(row.allowed_models),
    requestsPerMinute: fromDbNumberOrNull(row.requests_per_minute),
    tokensPerMinute: fromDbNumberOrNull(row.tokens_per_minute),
    requestsPerDay: fromDbNumberOrNull(row.requests_per_day),
    concurrency: fromDbNumberOrNull(row.concurrency),
    expiresAtMs: fromDbNumberOrNull(row.expires_at_ms),
    revokedAtMs: fromDbNumberOrNull(row.revoked_at_ms),
    createdAtMs: fromDbNumber(row.created_at_ms),
  }
}

/** A new key: nothing has been spent with it. */
export function toDbKey(key: ApiKey, accountNo: number, hash: Buffer): Insertable<ApiKeysTable> {
  return {
    id: key.id,
    account_no: accountNo,
    hash,
    label: key.label,
    type: key.type,
    last6: key.last6,
    limit_nano: key.limitNano,
    limit_diem_nano: key.limitDiemNano,
    period: key.period,
    privacy: key.privacy,
    allowed_models: key.allowedModels === null ? null : JSON.stringify(key.allowedModels),
    requests_per_minute: key.requestsPerMinute,
    tokens_per_minute: key.tokensPerMinute,
    requests_per_day: key.requestsPerDay,
    concurrency: key.concurrency,
    expires_at_ms: key.expiresAtMs,
    revoked_at_ms: key.revokedAtMs,
    period_start_ms: 0,
    spent_nano: 0n,
    held_nano: 0n,
    open_holds: 0,
    created_at_ms: key.createdAtMs,
  }
}

function fromDbModels(text: string): readonly string[] {
  const models = parseJson(text)
  if (!Array.isArray(models)) throw new RangeError('a stored list of models is damaged')
  return models.map(model => {
    if (typeof model !== 'string') throw new RangeError('a stored list of models is damaged')
    return model
  })
}
