import { type Amount, chargePerMillion, minAmount } from '../../../../core/money.ts'
import type { ChargeLine, PriceList } from '../../../../core/price.ts'
import type { HoldMark } from './hold-rows.ts'

/**
 * The lines of a charge of which only a progress mark is known: the prompt at its price as far as the charge goes, the
 * rest is output. They add up to the charge; without the price list all of it is one line.
 */
export function splitMark(mark: HoldMark, chargeNano: Amount, prices: PriceList | null): readonly ChargeLine[] {
  const promptNano = prices === null ? 0n : chargePerMillion(mark.promptTokens, prices.inputNanoPerMillion)
  const inputNano = minAmount(promptNano, chargeNano)
  const lines: readonly ChargeLine[] = [
    { kind: 'input', quantity: mark.promptTokens, amountNano: inputNano },
    { kind: 'output', quantity: mark.completionTokens, amountNano: chargeNano - inputNano },
  ]
  return lines.filter(line => line.amountNano > 0n)
}
