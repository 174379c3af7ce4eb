import { sql as raw } from 'kysely'
import { type RefusalStore, refusalsKept } from '../../../../domain/limits/refusal-store.ts'
import type { RateRefusal, RefusedRate } from '../../../../domain/limits/types.ts'
import { fromDbNumber, fromDbWord } from '../mapping.ts'
import type { Sql } from '../tables.ts'

const rates: readonly RefusedRate[] = ['requests', 'tokens', 'daily', 'failed', 'unsupported']

export function createRefusalStore(sql: Sql): RefusalStore {
  return {
    async add(refusals) {
      const keys = await findKeys(sql, refusals)
      const rows = refusals.flatMap(({ accountId, keyId, model, rate, atMs }) => {
        const key = keys.get(keyId)
        return key?.accountId === accountId
          ? [{ account_no: key.accountNo, key_no: key.no, model, rate, at_ms: atMs }]
          : []
      })
      if (rows.length === 0) return
      await sql.insertInto('rate_refusals').values(rows).execute()
      for (const accountNo of new Set(rows.map(row => row.account_no))) await removeOldest(sql, accountNo)
    },
    async list(accountId) {
      const rows = await sql
        .selectFrom('rate_refusals')
        .innerJoin('accounts', 'accounts.no', 'rate_refusals.account_no')
        .innerJoin('api_keys', 'api_keys.no', 'rate_refusals.key_no')
        .select(['api_keys.id as key_id', 'model', 'rate', 'at_ms'])
        .where('accounts.id', '=', accountId)
        .orderBy('at_ms', 'desc')
        .orderBy('rate_refusals.no', 'desc')
        .limit(refusalsKept)
        .execute()
      return rows.map(row => ({
        accountId,
        keyId: row.key_id,
        model: row.model,
        rate: fromDbWord(row.rate, rates),
        atMs: fromDbNumber(row.at_ms),
      }))
    },
  }
}

interface FoundKey {
  readonly no: number
  readonly accountNo: number
  readonly accountId: string
}

async function findKeys(sql: Sql, refusals: readonly RateRefusal[]): Promise<ReadonlyMap<string, FoundKey>> {
  const ids = [...new Set(refusals.map(({ keyId }) => keyId))]
  if (ids.length === 0) return new Map()
  const rows = await sql
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.no', 'api_keys.account_no')
    .select(['api_keys.id', 'api_keys.no', 'api_keys.account_no', 'accounts.id as account_id'])
    .where('api_keys.id', 'in', ids)
    .execute()
  return new Map(
    rows.map(row => [
      row.id,
      { no: fromDbNumber(row.no), accountNo: fromDbNumber(row.account_no), accountId: row.account_id },
    ]),
  )
}

async function removeOldest(sql: Sql, accountNo: number): Promise<void> {
  await raw`
    delete from rate_refusals where account_no = ${accountNo} and no <= (
      select no from rate_refusals where account_no = ${accountNo} order by no desc limit 1 offset ${refusalsKept}
    )`.execute(sql)
}
