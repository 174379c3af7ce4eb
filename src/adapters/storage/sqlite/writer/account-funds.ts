import {
  type Currency,
  type CurrencyParts,
  noOtherFunds,
  type OtherFunds,
  sumOfParts,
} from '../../../../core/currency.ts'
import { type Amount, maxAmount } from '../../../../core/money.ts'
import type { AccountRow } from './account-rows.ts'

/** What of a hold or a charge is dollars, and what is not. */
interface Payment {
  readonly parts: CurrencyParts | null
  readonly usdNano: Amount
}

/** Sets a hold aside. A day that begins puts the one before behind it, with all that was held of its allowance. */
export function holdFunds(
  account: AccountRow,
  { holdNano, parts }: { readonly holdNano: Amount; readonly parts: CurrencyParts | null },
): void {
  account.heldNano += holdNano - sumOfParts(parts)
  if (parts === null) return
  const funds = account.funds ?? noOtherFunds
  const begins = parts.diemNano > 0n && parts.diemDay > funds.diemDay
  const today = begins ? { ...funds, diemDay: parts.diemDay, diemSpentNano: 0n, diemHeldNano: 0n } : funds
  account.funds = addHeld(today, parts, 1n)
}

/** Gives a hold back, but for an allowance whose day is over. */
export function releaseFunds(account: AccountRow, amountNano: Amount, parts: CurrencyParts | null): void {
  account.heldNano -= amountNano - sumOfParts(parts)
  if (parts !== null) account.funds = addHeld(account.funds ?? noOtherFunds, parts, -1n)
}

function addHeld(funds: OtherFunds, parts: CurrencyParts, sign: 1n | -1n): OtherFunds {
  return {
    ...funds,
    diemHeldNano: funds.diemHeldNano + (parts.diemDay === funds.diemDay ? sign * parts.diemNano : 0n),
    earnedHeldNano: funds.earnedHeldNano + sign * parts.earnedNano,
    bundledHeldNano: funds.bundledHeldNano + sign * parts.bundledNano,
  }
}

/** Counts DIEM as spent, or given back, on the day whose allowance they are of. */
export function spendDiem(account: AccountRow, diemDay: number, amountNano: Amount): void {
  const funds = account.funds ?? noOtherFunds
  if (funds.diemDay !== diemDay) return
  account.funds = { ...funds, diemSpentNano: maxAmount(funds.diemSpentNano + amountNano, 0n) }
}

/** Moves a balance other than the one in dollars; null for DIEM, which have none. */
export function moveCredit(account: AccountRow, currency: Exclude<Currency, 'usd'>, amountNano: Amount): Amount | null {
  const funds = account.funds ?? noOtherFunds
  switch (currency) {
    case 'diem':
      return null
    case 'earned':
      account.funds = { ...funds, earnedNano: funds.earnedNano + amountNano }
      return account.funds.earnedNano
    case 'bundled':
      account.funds = { ...funds, bundledNano: funds.bundledNano + amountNano }
      return account.funds.bundledNano
  }
}

export function linesOf({ parts, usdNano }: Payment): readonly (readonly [Currency, Amount])[] {
  if (parts === null) return [['usd', usdNano]]
  const { diemNano, earnedNano, bundledNano } = parts
  return [
    ['diem', diemNano],
    ['earned', earnedNano],
    ['bundled', bundledNano],
    ['usd', usdNano],
  ]
}
