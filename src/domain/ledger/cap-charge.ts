import { type Amount, minAmount } from '../../core/money.ts'
import type { Charge, ChargeLine } from '../../core/price.ts'

/**
 * Charge ≤ hold, on every account (money.md §3). What lies above is taken off the last lines, so that the total stays the
 * plain sum of the lines; it is the caller's to write off and to raise an alarm.
 */
export function capCharge(charge: Charge, holdNano: Amount): { readonly charge: Charge; readonly excessNano: Amount } {
  const excessNano = charge.totalNano - holdNano
  if (excessNano <= 0n) return { charge, excessNano: 0n }
  let room = holdNano
  const lines: ChargeLine[] = charge.lines.map(line => {
    const amountNano = minAmount(line.amountNano, room)
    room -= amountNano
    return { ...line, amountNano }
  })
  return { charge: { lines, totalNano: holdNano }, excessNano }
}
