import { type Amount, chargePerMillion, minAmount } from '../../../core/money.ts'
import type { ChargeKind, ChargeLine, PriceList } from '../../../core/price.ts'
import type { ProgressMark } from '../../../domain/ledger/types.ts'

/** How far a request had come. */
export type MarkedQuantities = Pick<ProgressMark, 'promptTokens' | 'completionTokens' | 'fees'>

/**
 * The lines of a charge of which only a progress mark is known, each as far as the charge goes: the fees, which are known
 * exactly, then the prompt at its price; the rest is output. They stand in the order of any settlement and add up to the
 * charge; without the price list all of it is one line.
 */
export function splitMark(mark: MarkedQuantities, chargeNano: Amount, prices: PriceList | null): readonly ChargeLine[] {
  let restNano = chargeNano
  const take = (kind: ChargeKind, quantity: number, priceNano: Amount): ChargeLine => {
    const amountNano = minAmount(priceNano, restNano)
    restNano -= amountNano
    return { kind, quantity, amountNano }
  }
  const { fees, promptTokens } = mark
  const search = take('search', fees.searches, prices === null ? 0n : BigInt(fees.searches) * prices.searchNano)
  const page = take('page', fees.pages, prices === null ? 0n : BigInt(fees.pages) * prices.pageNano)
  const inputNano = prices === null ? 0n : chargePerMillion(promptTokens, prices.inputNanoPerMillion)
  const input = take('input', promptTokens, inputNano)
  const output = take('output', mark.completionTokens, restNano)
  return [input, output, search, page].filter(line => line.amountNano > 0n)
}
