import type { ChargeLine } from '../../../../core/price.ts'
import { shareDiem } from '../../../../core/share-diem.ts'
import type { SqliteDatabase } from '../connection.ts'
import type { SqlValue } from './bulk-statement.ts'
import { type CachedRows, createCachedRows } from './cached-rows.ts'

/** What is counted of a bill, and under what. */
interface CountedBill {
  readonly accountNo: number
  readonly model: string
  readonly createdAtMs: number
  readonly lines: readonly ChargeLine[]
  readonly diemNano: bigint
}

/** What this group adds to a row of the sums; each may be below zero. */
interface UsageLineRow {
  readonly owners: readonly SqlValue[]
  units: number
  costNano: bigint
  diemNano: bigint
}

export interface UsageLineRows extends Pick<CachedRows<UsageLineRow>, 'flush' | 'forget'> {
  /** With `sign` −1 the bill is taken off again, before a correction of it is added. */
  add(bill: CountedBill, sign: 1 | -1): void
}

const dayMs = 86_400_000
const nothing = { units: 0, costNano: 0n, diemNano: 0n }

/** Sums of what was sold of each kind. Nothing decides by them, so they are only ever added to, never read here. */
export function createUsageLineRows(database: SqliteDatabase): UsageLineRows {
  const upsert = database.prepare(
    'insert into usage_day_lines (day, account_no, model, kind, units, cost_nano, diem_nano) values (?, ?, ?, ?, ?, ?, ?)' +
      ' on conflict do update set units = units + excluded.units, cost_nano = cost_nano + excluded.cost_nano,' +
      ' diem_nano = diem_nano + excluded.diem_nano',
  )
  const rows = createCachedRows<UsageLineRow>(row => {
    upsert.run([...row.owners, row.units, row.costNano, row.diemNano])
    Object.assign(row, nothing)
  })
  return {
    flush: rows.flush,
    forget: rows.forget,
    add({ accountNo, model, createdAtMs, lines, diemNano }, sign) {
      const day = Math.floor(createdAtMs / dayMs)
      const shares = shareDiem(
        lines.map(({ amountNano }) => amountNano),
        diemNano,
      )
      for (const [index, { kind, quantity, amountNano }] of lines.entries()) {
        const owners = [day, accountNo, model, kind]
        const row = rows.find(owners.join('/'), () => ({ owners, ...nothing }))
        row.units += sign * quantity
        row.costNano += BigInt(sign) * amountNano
        row.diemNano += BigInt(sign) * (shares[index] ?? 0n)
        rows.markChanged(row)
      }
    },
  }
}
