import type { Selectable } from 'kysely'
import type { OtherFunds } from '../../../../core/currency.ts'
import type { AccountId } from '../../../../core/ids.ts'
import type { AccountMode } from '../../../../core/principal.ts'
import { fromDbAmount, fromDbNumber, fromDbWord } from '../../sql/mapping.ts'
import { findFunds } from '../../sql/other-funds.ts'
import type { Tables } from '../../sql/tables.ts'
import type { SqliteDatabase } from '../connection.ts'
import { type CachedRows, createCachedRows } from './cached-rows.ts'

/** The part of an account's row that money moves through. Its fields are changed in place, then marked as changed. */
export interface AccountRow {
  readonly no: number
  readonly id: AccountId
  readonly mode: AccountMode
  balanceNano: bigint
  heldNano: bigint
  openHolds: number
  creditedNano: bigint
  debitedNano: bigint
  freeFailureHour: number
  freeFailures: number
  /** Null for an account that has dollars alone, which nearly all are: those cost nothing more. Replaced as a whole. */
  funds: OtherFunds | null
}

export interface AccountRows extends Omit<CachedRows<AccountRow>, 'find'> {
  find(id: AccountId): AccountRow | null
}

export function createAccountRows(database: SqliteDatabase): AccountRows {
  const select = database.prepare('select * from accounts where id = ?')
  const update = database.prepare(
    'update accounts set balance_nano = ?, held_nano = ?, open_holds = ?, credited_nano = ?, debited_nano = ?,' +
      ' free_failure_hour = ?, free_failures = ? where no = ?',
  )
  const updateFunds = database.prepare(
    'update accounts set diem_day = ?, diem_spent_nano = ?, diem_held_nano = ?, earned_nano = ?, earned_held_nano = ?,' +
      ' bundled_nano = ?, bundled_held_nano = ? where no = ?',
  )
  const rows = createCachedRows<AccountRow>(row => {
    const { balanceNano, heldNano, openHolds, creditedNano, debitedNano, freeFailureHour, freeFailures, no } = row
    update.run([balanceNano, heldNano, openHolds, creditedNano, debitedNano, freeFailureHour, freeFailures, no])
    if (row.funds === null) return
    const { diemDay, diemSpentNano, diemHeldNano, earnedNano, earnedHeldNano, bundledNano, bundledHeldNano } = row.funds
    const credits = [earnedNano, earnedHeldNano, bundledNano, bundledHeldNano]
    updateFunds.run([diemDay, diemSpentNano, diemHeldNano, ...credits, no])
  })
  const read = (id: AccountId) => {
    const row = select.get([id]) as Selectable<Tables['accounts']> | undefined
    return row === undefined ? null : fromDbAccountRow(row)
  }
  return { ...rows, find: id => rows.find(id, () => read(id)) }
}

function fromDbAccountRow(row: Selectable<Tables['accounts']>): AccountRow {
  return {
    no: fromDbNumber(row.no),
    id: row.id,
    mode: fromDbWord(row.mode, ['soft', 'strict']),
    balanceNano: fromDbAmount(row.balance_nano),
    heldNano: fromDbAmount(row.held_nano),
    openHolds: fromDbNumber(row.open_holds),
    creditedNano: fromDbAmount(row.credited_nano),
    debitedNano: fromDbAmount(row.debited_nano),
    freeFailureHour: fromDbNumber(row.free_failure_hour),
    freeFailures: fromDbNumber(row.free_failures),
    funds: findFunds(row),
  }
}
