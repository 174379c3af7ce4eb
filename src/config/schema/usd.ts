import { z } from 'zod'
import { type Amount, parseUsd } from '../../core/money.ts'

const amountMax = 1_000_000_000
const pricePerMillionMax = 100_000

/** An amount of dollars, zero or more. It is written as a number and becomes nano-USD exactly. */
export function usd() {
  return dollars(0, amountMax)
}

/** Dollars per million tokens, zero or more. Whether zero is allowed is the model's affair (money.md §1). */
export function price() {
  return dollars(0, pricePerMillionMax)
}

function dollars(min: number, max: number) {
  const message = `must be a number of dollars from ${min} to ${max}`
  return z
    .number(message)
    .min(min, message)
    .max(max, message)
    .refine(value => /^\d+(\.\d{1,9})?$/.test(decimalText(value)), 'must have at most nine decimals')
    .transform((value): Amount => parseUsd(decimalText(value)))
}

/**
 * The decimal text of a number that is zero or more and below 10^21. JavaScript prints the shortest text that reads back
 * as the same number, which is what the file said, because numbers that a double cannot hold are refused before.
 */
function decimalText(value: number): string {
  const [digits = '', exponent] = String(value).split('e')
  if (exponent === undefined) return digits
  return `0.${'0'.repeat(Math.max(0, -Number(exponent) - 1))}${digits.replace('.', '')}`
}
