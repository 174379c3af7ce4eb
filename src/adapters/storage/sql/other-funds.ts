import type { Selectable } from 'kysely'
import { noOtherFunds, type OtherFunds } from '../../../core/currency.ts'
import { fromDbAmount, fromDbNumber } from './mapping.ts'
import type { Tables } from './tables.ts'

type FundsRow = Pick<
  Selectable<Tables['accounts']>,
  | 'diem_per_day_nano'
  | 'diem_day'
  | 'diem_spent_nano'
  | 'diem_held_nano'
  | 'earned_nano'
  | 'earned_held_nano'
  | 'bundled_nano'
  | 'bundled_held_nano'
>

/** What an account has besides dollars; null when it has none of it and never spent a DIEM. */
export function findFunds(row: FundsRow): OtherFunds | null {
  const funds = fromDbFunds(row)
  const { diemPerDayNano, diemDay, earnedNano, earnedHeldNano, bundledNano, bundledHeldNano } = funds
  const amounts = [diemPerDayNano, BigInt(diemDay), earnedNano, earnedHeldNano, bundledNano, bundledHeldNano]
  return amounts.some(amount => amount !== 0n) ? funds : null
}

export function fromDbFunds(row: FundsRow | undefined): OtherFunds {
  if (row === undefined) return noOtherFunds
  return {
    diemPerDayNano: fromDbAmount(row.diem_per_day_nano),
    diemDay: fromDbNumber(row.diem_day),
    diemSpentNano: fromDbAmount(row.diem_spent_nano),
    diemHeldNano: fromDbAmount(row.diem_held_nano),
    earnedNano: fromDbAmount(row.earned_nano),
    earnedHeldNano: fromDbAmount(row.earned_held_nano),
    bundledNano: fromDbAmount(row.bundled_nano),
    bundledHeldNano: fromDbAmount(row.bundled_held_nano),
  }
}
