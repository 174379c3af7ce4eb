import { type Amount, minAmount } from './money.ts'

/**
 * How much of each line of a bill an allowance paid: it pays first (money.md §4), so the lines are covered in their order
 * until it is used up.
 */
export function shareDiem(amountsNano: readonly Amount[], diemNano: Amount): readonly Amount[] {
  let leftNano = diemNano
  return amountsNano.map(amountNano => {
    const paidNano = minAmount(amountNano, leftNano)
    leftNano -= paidNano
    return paidNano
  })
}
