import type { Usage } from '../../../../core/usage.ts'
import type { Outcome } from '../../../../domain/usage/types.ts'
import { countedColumns } from '../../sql/counted-columns.ts'
import type { SqliteDatabase } from '../connection.ts'
import type { SqlValue } from './bulk-statement.ts'
import { type CachedRows, createCachedRows } from './cached-rows.ts'

/** What is counted of a usage record, and under what. */
export interface CountedRecord {
  readonly accountNo: number
  readonly keyNo: number
  readonly model: string
  readonly outcome: Outcome
  readonly createdAtMs: number
  readonly usage: Usage
  readonly costNano: bigint
  readonly writeoffNano: bigint
  readonly diemNano: bigint
}

/** What this group adds to a row of the sums; each may be below zero. */
interface UsageDayRow extends Record<keyof Usage, number> {
  /** Day, account, key and model, and the outcome where that is summed up apart. */
  readonly owners: readonly SqlValue[]
  requests: number
  costNano: bigint
  writeoffNano: bigint
  diemNano: bigint
}

export interface UsageDayRows extends Pick<CachedRows<UsageDayRow>, 'flush' | 'forget'> {
  /** With `sign` −1 the record is taken off again, before a correction of it is added. */
  add(record: CountedRecord, sign: 1 | -1): void
}

const dayMs = 86_400_000
const owners = ['day', 'account_no', 'key_no', 'model']

/** Sums of all requests, and once more of those that did not end as `done`, by how they ended. */
export function createUsageDayRows(database: SqliteDatabase): UsageDayRows {
  const all = createSumRows(upsertText('usage_days', owners), database)
  const unusual = createSumRows(upsertText('usage_days_unusual', [...owners, 'outcome']), database)
  return {
    add(record, sign) {
      const { createdAtMs, accountNo, keyNo, model, outcome } = record
      const owner = [Math.floor(createdAtMs / dayMs), accountNo, keyNo, model]
      all.add(owner, record, sign)
      if (outcome !== 'done') unusual.add([...owner, outcome], record, sign)
    },
    flush() {
      all.flush()
      unusual.flush()
    },
    forget() {
      all.forget()
      unusual.forget()
    },
  }
}

/** Nothing decides by these sums, so they are only ever added to, never read here. */
function createSumRows(text: string, database: SqliteDatabase) {
  const upsert = database.prepare(text)
  const rows = createCachedRows<UsageDayRow>(row => {
    const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens } = row
    const tokens = [promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens]
    upsert.run([...row.owners, row.requests, ...tokens, row.costNano, row.writeoffNano, row.diemNano])
    Object.assign(row, nothing)
  })
  return {
    ...rows,
    add(owner: readonly SqlValue[], { usage, costNano, writeoffNano, diemNano }: CountedRecord, sign: 1 | -1) {
      const row = rows.find(owner.join('/'), () => ({ owners: owner, ...nothing }))
      row.requests += sign
      row.promptTokens += sign * usage.promptTokens
      row.completionTokens += sign * usage.completionTokens
      row.cachedTokens += sign * usage.cachedTokens
      row.cacheWriteTokens += sign * usage.cacheWriteTokens
      row.reasoningTokens += sign * usage.reasoningTokens
      row.costNano += BigInt(sign) * costNano
      row.writeoffNano += BigInt(sign) * writeoffNano
      row.diemNano += BigInt(sign) * diemNano
      rows.markChanged(row)
    },
  }
}

const nothing = {
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  costNano: 0n,
  writeoffNano: 0n,
  diemNano: 0n,
}

function upsertText(table: string, keys: readonly string[]): string {
  const columns = [...keys, ...countedColumns]
  return (
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})` +
    ` on conflict do update set ${countedColumns.map(name => `${name} = ${name} + excluded.${name}`).join(', ')}`
  )
}
