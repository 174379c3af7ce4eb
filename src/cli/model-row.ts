import type { Model } from '../core/model.ts'
import { type Amount, formatUsd } from '../core/money.ts'
import { renderTable } from './render-table.ts'

/** A model as `--json` prints it (operator.md §6). Prices are decimal strings, in dollars per million tokens. */
export function encodeModel({ id, served, contextTokens, maxOutputTokens, prices }: Model) {
  return {
    id,
    engines: [...new Set(served.map(({ engineId }) => engineId))],
    contextTokens,
    maxOutputTokens,
    pricing: {
      inputUsdPerMTok: formatUsd(prices.inputNanoPerMillion),
      outputUsdPerMTok: formatUsd(prices.outputNanoPerMillion),
      cacheReadUsdPerMTok: formatUsd(prices.cacheReadNanoPerMillion),
      cacheWriteUsdPerMTok: formatUsd(prices.cacheWriteNanoPerMillion),
    },
  }
}

export function renderModels(models: readonly Model[]): string {
  const head = ['MODEL', 'ENGINES', 'CONTEXT', 'OUTPUT', 'IN USD/M', 'OUT USD/M', 'CACHED']
  const rows = models.map(model => {
    const { id, engines, contextTokens, maxOutputTokens } = encodeModel(model)
    const { inputNanoPerMillion, outputNanoPerMillion, cacheReadNanoPerMillion } = model.prices
    const prices = [inputNanoPerMillion, outputNanoPerMillion, cacheReadNanoPerMillion]
    return [
      id,
      engines.join(', '),
      `${contextTokens}`,
      `${maxOutputTokens}`,
      ...prices.map(price => priceText(price, model.free)),
    ]
  })
  return renderTable([head, ...rows], { right: [2, 3, 4, 5, 6] })
}

/** What a model costs, in a few words. */
export function describePrice({ prices, free }: Model): string {
  if (free) return 'free'
  const [input, output] = [prices.inputNanoPerMillion, prices.outputNanoPerMillion].map(formatUsd)
  return `${input} USD in, ${output} USD out per million tokens`
}

function priceText(price: Amount, free: boolean): string {
  return free && price === 0n ? 'free' : formatUsd(price)
}
