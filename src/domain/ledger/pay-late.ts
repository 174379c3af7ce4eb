import { type CurrencyParts, diemFree, noOtherFunds, type OtherFunds, sumOfParts } from '../../core/currency.ts'
import { type Amount, maxAmount, minAmount } from '../../core/money.ts'

/** A hold that was resolved by a guess, and what its account has now. */
export interface LateHold {
  readonly heldNano: Amount
  readonly heldParts: CurrencyParts | null
  readonly costNano: Amount
  readonly paidParts: CurrencyParts | null
  /** How far below zero the account may go in dollars. */
  readonly overdraftNano: Amount
  readonly balanceNano: Amount
  readonly accountHeldNano: Amount
  readonly funds: OtherFunds | null
}

/**
 * What a late settlement may take in all, and from which currencies: of each what was held and is still there, because a
 * hold's promise does not outlive the hold (money.md §2). An allowance whose day is over is there no more.
 */
export function findLateRoom(late: LateHold): { readonly parts: CurrencyParts | null; readonly totalNano: Amount } {
  const parts = partsOf(late)
  const paidUsdNano = late.costNano - sumOfParts(late.paidParts)
  const heldUsdNano = late.heldNano - sumOfParts(late.heldParts)
  const leftNano = maxAmount(late.balanceNano - late.accountHeldNano + late.overdraftNano, 0n)
  return { parts, totalNano: sumOfParts(parts) + minAmount(heldUsdNano, paidUsdNano + leftNano) }
}

function partsOf({ heldParts: held, paidParts, funds: stored }: LateHold): CurrencyParts | null {
  if (held === null) return null
  const funds = stored ?? noOtherFunds
  const { diemDay } = held
  const paid = paidParts ?? { diemDay, diemNano: 0n, earnedNano: 0n, bundledNano: 0n }
  const diemNano = diemDay === funds.diemDay ? diemFree(funds, diemDay) : 0n
  const earnedNano = maxAmount(funds.earnedNano - funds.earnedHeldNano, 0n)
  const bundledNano = maxAmount(funds.bundledNano - funds.bundledHeldNano, 0n)
  return {
    diemDay,
    diemNano: minAmount(held.diemNano, paid.diemNano + diemNano),
    earnedNano: minAmount(held.earnedNano, paid.earnedNano + earnedNano),
    bundledNano: minAmount(held.bundledNano, paid.bundledNano + bundledNano),
  }
}

/** What was charged, and what of it was not paid in dollars. */
interface PaidCharge {
  readonly costNano: Amount
  readonly parts: CurrencyParts | null
}

/** By how much each currency's payment changes; below zero it is given back. */
export function differenceOf(
  after: PaidCharge,
  before: PaidCharge,
): { readonly parts: CurrencyParts | null; readonly usdNano: Amount } {
  const usdNano = after.costNano - sumOfParts(after.parts) - (before.costNano - sumOfParts(before.parts))
  const diemDay = after.parts?.diemDay ?? before.parts?.diemDay
  if (diemDay === undefined) return { parts: null, usdNano }
  const change = (name: 'diemNano' | 'earnedNano' | 'bundledNano') =>
    (after.parts?.[name] ?? 0n) - (before.parts?.[name] ?? 0n)
  const parts = {
    diemDay,
    diemNano: change('diemNano'),
    earnedNano: change('earnedNano'),
    bundledNano: change('bundledNano'),
  }
  return { parts, usdNano }
}
