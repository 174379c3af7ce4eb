import { testPricing } from './gateway-settings.ts'

/** Amounts of the tests, in nano-USD. Written apart from the product's own arithmetic, so that both can be compared. */

export interface BilledTokens {
  readonly prompt?: number
  /** Part of `prompt`. */
  readonly cached?: number
  /** Part of `prompt`. */
  readonly written?: number
  readonly completion?: number
}

export type Pricing = Readonly<
  Partial<Record<'inputUsdPerMTok' | 'outputUsdPerMTok' | 'cacheReadUsdPerMTok' | 'cacheWriteUsdPerMTok', number>>
>

/** What tokens cost at a price in dollars per million: one rounding per line, upwards (money.md §1). */
export function priceOf(
  { prompt = 0, cached = 0, written = 0, completion = 0 }: BilledTokens,
  pricing: Pricing = testPricing,
): bigint {
  const { inputUsdPerMTok = 0, outputUsdPerMTok = 0 } = pricing
  const { cacheReadUsdPerMTok = inputUsdPerMTok, cacheWriteUsdPerMTok = inputUsdPerMTok } = pricing
  return (
    line(prompt - cached - written, inputUsdPerMTok) +
    line(cached, cacheReadUsdPerMTok) +
    line(written, cacheWriteUsdPerMTok) +
    line(completion, outputUsdPerMTok)
  )
}

/** Dollars, as JSON says them, to nano-USD. Exact below nine million dollars, where a double has nine decimals. */
export function nanoOf(usd: number | string): bigint {
  const [whole = '0', fraction = ''] = Number(usd).toFixed(9).split('.')
  return BigInt(whole + fraction)
}

/** The estimate that is billed where an engine does not report: `ceil(characters / 4)` (money.md §5). */
export function estimatedTokens(text: string): number {
  return Math.ceil([...text].length / 4)
}

function line(tokens: number, usdPerMillion: number): bigint {
  const exact = BigInt(tokens) * nanoOf(usdPerMillion)
  return (exact + 999_999n) / 1_000_000n
}
