import { type Amount, formatUsd, nanoPerUsd, parseUsd } from '../core/money.ts'
import { UsageError } from './command-error.ts'

/** The ledger holds 64-bit amounts; a billion dollars leaves room for every sum. */
const usdMax = 1_000_000_000n * nanoPerUsd
const dayMs = 86_400_000
const portMax = 65_535
const countPattern = /^\d{1,9}$/

/** Decimal dollars, or DIEM, zero or more and at most a billion. @throws UsageError */
export function parseUsdValue(name: string, text: string, unit = 'dollars'): Amount {
  const amount = usdOrNull(text)
  if (amount === null || amount < 0n || amount > usdMax) {
    throw new UsageError(
      `${name} must be ${unit} from 0 to ${formatUsd(usdMax)} with at most nine decimals, such as 2.50.`,
    )
  }
  return amount
}

function usdOrNull(text: string): Amount | null {
  try {
    return parseUsd(text)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A whole number from `min` to `max`. @throws UsageError */
export function parseCount(name: string, text: string, range: { readonly min: number; readonly max: number }): number {
  const count = countPattern.test(text) ? Number(text) : Number.NaN
  if (!(count >= range.min && count <= range.max)) {
    throw new UsageError(`${name} must be a whole number from ${range.min} to ${range.max}.`)
  }
  return count
}

/** A port to listen on; 0 takes any free one. @throws UsageError */
export function parsePort(name: string, text: string): number {
  return parseCount(name, text, { min: 0, max: portMax })
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/

/**
 * A date (`2027-01-31`) or an ISO time (`2027-01-31T12:00:00Z`) in milliseconds since the epoch. A date is a whole UTC
 * day, and gives its beginning; a time without a zone is UTC.
 * @throws UsageError
 */
export function parseMoment(name: string, text: string): number {
  const atMs = momentOrNaN(text)
  if (Number.isNaN(atMs)) {
    throw new UsageError(`${name} must be a date (2027-01-31) or an ISO time (2027-01-31T12:00:00Z).`)
  }
  return atMs
}

function momentOrNaN(text: string): number {
  const date = text.slice(0, 10)
  const dayStartMs = datePattern.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN
  // Date.parse reads the 30th of February as a day in March.
  if (Number.isNaN(dayStartMs) || new Date(dayStartMs).toISOString().slice(0, 10) !== date) return Number.NaN
  if (text.length === date.length) return dayStartMs
  const match = timePattern.exec(text)
  if (match === null) return Number.NaN
  return Date.parse(match[3] === undefined ? `${text}Z` : text)
}

/** The first moment after what was named: a date ends with its UTC day, a time is exact. @throws UsageError */
export function parseEnd(name: string, text: string): number {
  const atMs = parseMoment(name, text)
  return datePattern.test(text) ? atMs + dayMs : atMs
}

/** Names separated by commas. @throws UsageError when one of them is empty */
export function parseNames(name: string, text: string): readonly string[] {
  const names = text.split(',').map(part => part.trim())
  if (names.includes('')) throw new UsageError(`${name} must be names separated by commas.`)
  return [...new Set(names)]
}
