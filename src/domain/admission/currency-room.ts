import { type CurrencyParts, diemDayAt, diemFree, noOtherFunds } from '../../core/currency.ts'
import { type Amount, maxAmount, minAmount } from '../../core/money.ts'
import type { AdmissionRequest, AdmissionState } from './types.ts'

/** What could pay for a request before dollars do (money.md §4). */
export interface CurrencyRoom {
  /** Within the key's limit in DIEM; null where there are dollars alone. */
  readonly parts: CurrencyParts | null
  /**
   * The most that a key may hold whose limit in DIEM ends before the account's allowance, and which has no limit in
   * dollars: if those paid on, its only limit would limit nothing. Null for other keys.
   */
  readonly diemEndNano: Amount | null
}

/** `spentNano` is what the key has spent in DIEM in its current period. */
export function findCurrencyRoom(
  { funds: stored, key }: AdmissionState,
  { spendsAllCurrencies, nowMs }: AdmissionRequest,
  spentNano: Amount,
): CurrencyRoom {
  if (!spendsAllCurrencies || (stored === null && key.limitDiemNano === null)) return { parts: null, diemEndNano: null }
  const funds = stored ?? noOtherFunds
  const diemDay = diemDayAt(funds, nowMs)
  const freeNano = diemFree(funds, diemDay)
  const keyNano = key.limitDiemNano === null ? null : maxAmount(key.limitDiemNano - spentNano - key.heldDiemNano, 0n)
  const { earnedNano, earnedHeldNano, bundledNano, bundledHeldNano } = funds
  const ends = keyNano !== null && key.limitNano === null && (keyNano === 0n || keyNano < freeNano)
  return {
    parts: {
      diemDay,
      diemNano: minAmount(freeNano, keyNano ?? freeNano),
      earnedNano: maxAmount(earnedNano - earnedHeldNano, 0n),
      bundledNano: maxAmount(bundledNano - bundledHeldNano, 0n),
    },
    diemEndNano: ends ? keyNano : null,
  }
}
