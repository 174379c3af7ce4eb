import type { Balances, CurrencyParts } from '../../../../core/currency.ts'

/*
 * Currencies as lists; see decision-wire.ts for why. Most accounts have dollars alone, of which nothing but a null is said.
 */

export type PartsWire = readonly [diemDay: number, diemNano: bigint, earnedNano: bigint, bundledNano: bigint]
export type BalancesWire = [
  usdNano: bigint,
  others: readonly [diemNano: bigint, earnedNano: bigint, bundledNano: bigint] | null,
]

export function encodeParts(parts: CurrencyParts | null): PartsWire | null {
  return parts === null ? null : [parts.diemDay, parts.diemNano, parts.earnedNano, parts.bundledNano]
}

export function decodeParts(wire: PartsWire | null): CurrencyParts | null {
  if (wire === null) return null
  const [diemDay, diemNano, earnedNano, bundledNano] = wire
  return { diemDay, diemNano, earnedNano, bundledNano }
}

export function encodeBalances({ usdNano, diemNano, earnedNano, bundledNano }: Balances): BalancesWire {
  const hasOthers = diemNano !== 0n || earnedNano !== 0n || bundledNano !== 0n
  return [usdNano, hasOthers ? [diemNano, earnedNano, bundledNano] : null]
}

export function decodeBalances([usdNano, others]: BalancesWire): Balances {
  const [diemNano, earnedNano, bundledNano] = others ?? [0n, 0n, 0n]
  return { usdNano, diemNano, earnedNano, bundledNano }
}
