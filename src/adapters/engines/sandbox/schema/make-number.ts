import type { JsonObject } from '../../../../lib/json.ts'
import { fromScaled, leastCommonMultiple, scaleTo, toDecimal } from './decimal.ts'
import { readNumber } from './keywords.ts'
import { readStep } from './matches-scalar.ts'

export interface NumberWish {
  readonly whole: boolean
  readonly variant: number
}

/** Numbers for the schemas: 1 or the nearest that they allow; variants are steps from it. */
export function* makeNumbers(parts: readonly JsonObject[], { whole, variant }: NumberWish): Generator<number> {
  const collect = (read: (part: JsonObject) => number | undefined) =>
    parts.map(read).filter(value => value !== undefined)
  const lows = collect(part => readNumber(part, 'minimum'))
  const highs = collect(part => readNumber(part, 'maximum'))
  const lowsBelow = collect(part => readNumber(part, 'exclusiveMinimum'))
  const highsAbove = collect(part => readNumber(part, 'exclusiveMaximum'))
  const steps = collect(readStep)
  // One more place than any bound has leaves room between two bounds.
  const all = [...lows, ...highs, ...lowsBelow, ...highsAbove, ...steps].map(value => toDecimal(value).places)
  const places = Math.max(0, ...all) + 1
  const scaled = (value: number) => scaleTo(toDecimal(value), places)
  const one = scaled(1)
  const low = greatest([...lows.map(scaled), ...lowsBelow.map(value => scaled(value) + 1n)])
  const high = least([...highs.map(scaled), ...highsAbove.map(value => scaled(value) - 1n)])
  const step = steps.map(scaled).reduce(leastCommonMultiple, whole ? one : 1n)
  const start = nearest(one, { low, high, step })
  // A second number, in case that the first one is excluded.
  for (const by of [variant, variant + 1]) yield fromScaled(vary(start, { low, high, step }, BigInt(by)), places)
}

interface Bounds {
  readonly low: bigint | null
  readonly high: bigint | null
  readonly step: bigint
}

function nearest(wanted: bigint, { low, high, step }: Bounds): bigint {
  const clamped = low !== null && low > wanted ? low : high !== null && high < wanted ? high : wanted
  const above = roundUp(clamped, step)
  return high !== null && above > high ? above - step : above
}

/** Upward, from the upper bound on again from the lower one; without a lower bound, downward. */
function vary(start: bigint, { low, high, step }: Bounds, variant: bigint): bigint {
  if (high === null) return start + variant * step
  if (low === null) return start - variant * step
  const first = roundUp(low, step)
  const count = (high - first) / step + 1n
  return count < 1n ? start : first + (((start - first) / step + variant) % count) * step
}

function roundUp(value: bigint, step: bigint): bigint {
  const rest = value % step
  return rest === 0n ? value : value - rest + (value > 0n ? step : 0n)
}

function greatest(values: readonly bigint[]): bigint | null {
  return values.reduce<bigint | null>((found, value) => (found === null || value > found ? value : found), null)
}

function least(values: readonly bigint[]): bigint | null {
  return values.reduce<bigint | null>((found, value) => (found === null || value < found ? value : found), null)
}
