import { type Amount, chargePerMillion } from '../../core/money.ts'
import type { ChargeKind, ChargeLine, PriceList } from '../../core/price.ts'
import type { Usage } from '../../core/usage.ts'

/**
 * The lines for tokens. Cached and cache-write tokens are parts of the prompt tokens: what is neither is billed as input
 * (money.md §5). Reasoning is part of the output and has no line of its own. What costs nothing has no line either.
 * @throws RangeError for a quantity that is not a safe, non-negative integer, or more cached and written tokens than prompt.
 */
export function tokenLines(usage: Usage, prices: PriceList): readonly ChargeLine[] {
  const uncached = usage.promptTokens - usage.cachedTokens - usage.cacheWriteTokens
  return [
    line('input', uncached, prices.inputNanoPerMillion),
    line('cache_read', usage.cachedTokens, prices.cacheReadNanoPerMillion),
    line('cache_write', usage.cacheWriteTokens, prices.cacheWriteNanoPerMillion),
    line('output', usage.completionTokens, prices.outputNanoPerMillion),
  ].filter(({ amountNano }) => amountNano > 0n)
}

function line(kind: ChargeKind, quantity: number, priceNanoPerMillion: Amount): ChargeLine {
  return { kind, quantity, amountNano: chargePerMillion(quantity, priceNanoPerMillion) }
}
