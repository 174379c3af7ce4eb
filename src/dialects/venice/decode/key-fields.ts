import { z } from 'zod'
import { type Amount, minAmount, nanoPerUsd, parseUsd } from '../../../core/money.ts'
import { keyPrivacies, keyTypes, limitPeriods } from '../key-words.ts'

const descriptionCharactersMax = 64
const limitUsdMax = 9_999_999_999
/** What the ledger's 64 bits hold beside every sum. No balance comes near it, so that a higher limit limits as little. */
const limitNanoMax = 8_000_000_000n * nanoPerUsd
const dayMs = 86_400_000

const date = /^\d{4}-\d{2}-\d{2}$/
const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/

/** A word of the table as the core has it. */
function wordOf<const Words extends Readonly<Record<string, string>>>(words: Words) {
  return z
    .enum(Object.keys(words) as [keyof Words & string, ...(keyof Words & string)[]])
    .transform(word => words[word] as Words[keyof Words])
}

export const keyType = wordOf(keyTypes)
export const limitPeriod = wordOf(limitPeriods)
export const keyPrivacy = wordOf(keyPrivacies)

/** Control characters would spoil every list that shows it. */
export const description = z
  .string()
  .max(descriptionCharactersMax)
  .refine(text => !/\p{Cc}/u.test(text), 'String must not contain control characters')

/** Null for one that never comes. A date is valid to the end of its UTC day. */
export const expiresAt = z
  .string()
  .refine(
    text => text === '' || !Number.isNaN(momentOf(text)),
    'Expected an empty string, a date (YYYY-MM-DD) or a UTC time that ends in Z',
  )
  .transform(text => (text === '' ? null : momentOf(text)))

/** NaN for what is no date or time, and for days that no month has. */
function momentOf(text: string): number {
  if (!date.test(text) && !time.test(text)) return Number.NaN
  const atMs = Date.parse(text)
  if (Number.isNaN(atMs) || new Date(atMs).toISOString().slice(0, 10) !== text.slice(0, 10)) return Number.NaN
  return date.test(text) ? atMs + dayMs - 1 : atMs
}

const limit = z
  .number()
  .min(0)
  .max(limitUsdMax)
  .refine(value => Number(value.toFixed(9)) === value, 'Number must have at most nine decimals')
  .transform((value): Amount => minAmount(parseUsd(value.toFixed(9)), limitNanoMax))
  .nullable()
  .optional()

/** `vcu` is the former name of `diem`, which wins where both are given. */
export const consumptionLimit = z
  .strictObject({ usd: limit, diem: limit, vcu: limit })
  .transform(({ usd, diem, vcu }) => ({ limitNano: usd, limitDiemNano: diem === undefined ? vcu : diem }))
