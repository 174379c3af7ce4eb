/**
 * Amounts are `bigint` nano-units of their asset: 1 USD = 10^9 nano-USD (money.md §1).
 * Decimal dollars exist only where text is parsed or printed, which is what this file is for.
 */
export type Amount = bigint

export const nanoPerUsd = 1_000_000_000n
const tokensPerPrice = 1_000_000n

/**
 * One charge line: `ceil(quantity × price / 10^6)` for a price in nano-USD per million, rounded up once (money.md §1).
 * @throws RangeError when the quantity is not a safe, non-negative integer or the price is negative.
 */
export function chargePerMillion(quantity: number, priceNanoPerMillion: Amount): Amount {
  if (!Number.isSafeInteger(quantity) || quantity < 0)
    throw new RangeError('quantity must be a safe, non-negative integer')
  if (priceNanoPerMillion < 0n) throw new RangeError('price must not be negative')
  return (BigInt(quantity) * priceNanoPerMillion + tokensPerPrice - 1n) / tokensPerPrice
}

/**
 * Parses decimal dollars (`"12"`, `"-0.25"`, `"0.000000001"`) exactly.
 * @throws RangeError for anything else, more than nine decimals, or more than 10^12 dollars.
 */
export function parseUsd(text: string): Amount {
  const match = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?$/.exec(text)
  if (match === null) throw new RangeError('not a dollar amount with at most nine decimals')
  const [, sign, whole = '0', fraction = ''] = match
  const nano = BigInt(whole) * nanoPerUsd + BigInt(fraction.padEnd(9, '0'))
  return sign === '-' ? -nano : nano
}

/** Prints nano-USD as decimal dollars without trailing zeros: `1500000000n` → `"1.5"`. Exact, and a valid JSON number. */
export function formatUsd(amount: Amount): string {
  const absolute = amount < 0n ? -amount : amount
  const whole = absolute / nanoPerUsd
  const fraction = (absolute % nanoPerUsd).toString().padStart(9, '0').replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

export function maxAmount(left: Amount, right: Amount): Amount {
  return left > right ? left : right
}

export function minAmount(left: Amount, right: Amount): Amount {
  return left < right ? left : right
}
