import type { CurrencyParts } from '../../../../core/currency.ts'
import { parseJson } from '../../../../lib/json.ts'
import { listOf, numberOf, textOf } from './stored-text.ts'

/** `[day, "diem", "earned", "bundled"]`, or null for dollars alone, which is what nearly all rows have. */
export function encodeParts(parts: CurrencyParts | null): string | null {
  if (parts === null) return null
  const { diemDay, diemNano, earnedNano, bundledNano } = parts
  return JSON.stringify([diemDay, diemNano.toString(), earnedNano.toString(), bundledNano.toString()])
}

/** @throws RangeError when the text is not what encodeParts writes. */
export function decodeParts(text: string | null): CurrencyParts | null {
  if (text === null) return null
  const [diemDay, diem, earned, bundled] = listOf(parseJson(text))
  return {
    diemDay: numberOf(diemDay),
    diemNano: BigInt(textOf(diem)),
    earnedNano: BigInt(textOf(earned)),
    bundledNano: BigInt(textOf(bundled)),
  }
}

const dayMs = 86_400_000

/** What stands in the note of a transfer in DIEM: the UTC day whose allowance it takes from. */
export function allowanceNote(diemDay: number): string {
  return new Date(diemDay * dayMs).toISOString().slice(0, 10)
}
