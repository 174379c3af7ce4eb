/** A number as the decimal that its shortest spelling names: `digits × 10^-places`, with places of at least 0. */
export interface Decimal {
  readonly digits: bigint
  readonly places: number
}

/** Exact for every finite number, so that 0.3 is a multiple of 0.1. */
export function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const digits = BigInt(whole + fraction)
  const places = fraction.length - Number(exponent)
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 }
}

/** The digits of the same decimal with more places; `places` is at least the decimal's own. */
export function scaleTo({ digits, places: own }: Decimal, places: number): bigint {
  return digits * 10n ** BigInt(places - own)
}

/** The number nearest to `digits × 10^-places`. */
export function fromScaled(digits: bigint, places: number): number {
  return Number(`${digits}e-${places}`)
}

/** Whether the first number is a whole multiple of the second, which is above 0. Decimals are compared, not their binary neighbours. */
export function isMultiple(value: number, of: number): boolean {
  const [left, right] = [toDecimal(value), toDecimal(of)]
  const places = Math.max(left.places, right.places)
  return scaleTo(left, places) % scaleTo(right, places) === 0n
}

/** The least common multiple of two positive whole numbers. */
export function leastCommonMultiple(left: bigint, right: bigint): bigint {
  let [divisor, rest] = [left, right]
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest]
  return (left / divisor) * right
}
