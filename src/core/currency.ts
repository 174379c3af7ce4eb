import { type Amount, maxAmount, minAmount } from './money.ts'

/** What accounts pay with, in the order of spending (money.md §4). Each buys as much as a dollar, in billionths of itself. */
export const currencies = ['diem', 'earned', 'bundled', 'usd'] as const
export type Currency = (typeof currencies)[number]

/** What an account can have a balance in: an allowance is spent on its day and never saved. */
export type CreditCurrency = Exclude<Currency, 'diem'>

/** How much of a hold or a charge is not dollars: the rest is. Null stands for dollars alone. */
export interface CurrencyParts {
  /** Of which UTC day's allowance the DIEM are, in days since 1970. */
  readonly diemDay: number
  readonly diemNano: Amount
  readonly earnedNano: Amount
  readonly bundledNano: Amount
}

/** What an account has of each currency; what running requests hold is still the account's. */
export interface Balances {
  readonly usdNano: Amount
  /** What is left of today's allowance. */
  readonly diemNano: Amount
  readonly earnedNano: Amount
  readonly bundledNano: Amount
}

/** What an account has besides dollars, as it is stored. */
export interface OtherFunds {
  readonly diemPerDayNano: Amount
  /** The UTC day that the next two count for; those of a later day begin at nothing. */
  readonly diemDay: number
  readonly diemSpentNano: Amount
  readonly diemHeldNano: Amount
  readonly earnedNano: Amount
  readonly earnedHeldNano: Amount
  readonly bundledNano: Amount
  readonly bundledHeldNano: Amount
}

export const noOtherFunds: OtherFunds = {
  diemPerDayNano: 0n,
  diemDay: 0,
  diemSpentNano: 0n,
  diemHeldNano: 0n,
  earnedNano: 0n,
  earnedHeldNano: 0n,
  bundledNano: 0n,
  bundledHeldNano: 0n,
}

const dayMs = 86_400_000

/** Whose allowance is spent at a time. A clock that is behind brings no day back that is over. */
export function diemDayAt({ diemDay }: Pick<OtherFunds, 'diemDay'>, nowMs: number): number {
  return Math.max(diemDay, Math.floor(nowMs / dayMs))
}

/** What is left of the allowance of a day, which is the stored one or a later one; holds are not taken off. */
function diemLeft({ diemPerDayNano, diemDay, diemSpentNano }: OtherFunds, day: number): Amount {
  return maxAmount(diemPerDayNano - (day === diemDay ? diemSpentNano : 0n), 0n)
}

/** What is in nobody's hold either. */
export function diemFree(funds: OtherFunds, day: number): Amount {
  return maxAmount(diemLeft(funds, day) - (day === funds.diemDay ? funds.diemHeldNano : 0n), 0n)
}

export function balancesOf(usdNano: Amount, funds: OtherFunds | null, nowMs: number): Balances {
  const { earnedNano, bundledNano } = funds ?? noOtherFunds
  return { usdNano, diemNano: funds === null ? 0n : diemLeft(funds, diemDayAt(funds, nowMs)), earnedNano, bundledNano }
}

/** All of what is not dollars. */
export function sumOfParts(parts: CurrencyParts | null): Amount {
  return parts === null ? 0n : parts.diemNano + parts.earnedNano + parts.bundledNano
}

/** Pays an amount with what there is, in the order of spending; null when dollars pay all of it. */
export function payFrom(room: CurrencyParts | null, amountNano: Amount): CurrencyParts | null {
  if (room === null) return null
  const diemNano = minAmount(amountNano, room.diemNano)
  const earnedNano = minAmount(amountNano - diemNano, room.earnedNano)
  const bundledNano = minAmount(amountNano - diemNano - earnedNano, room.bundledNano)
  const parts = { diemDay: room.diemDay, diemNano, earnedNano, bundledNano }
  return sumOfParts(parts) === 0n ? null : parts
}
