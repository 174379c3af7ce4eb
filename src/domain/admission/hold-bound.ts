import type { PromptSize } from '../../core/completion-request.ts'
import { imageTokens, type MediaCosts } from '../../core/media-costs.ts'
import type { Model } from '../../core/model.ts'
import { type Amount, chargePerMillion, maxAmount } from '../../core/money.ts'
import { type Fees, noFees, type PriceList } from '../../core/price.ts'

/** Role names and separators that a chat template writes around each message. */
const tokensPerMessage = 16

/** A bill rounds up to three prompt lines (input, cache read, cache write) where the bound rounds one. */
const roundingNano = 2n

export interface HoldBound {
  /** No engine can have counted more tokens than this for the prompt. */
  readonly promptTokens: number
  /** Nano-USD for everything but the output: the prompt at its dearest price, and fees. */
  readonly fixedNano: Amount
}

/**
 * Upper bound of what a request can cost beside its output (money.md §3, §5). A token is at least a byte, so the UTF-8
 * bytes bound the tokens of text; nothing is longer than the model's context. `fees` are the dearest that it may cause.
 */
export function holdBound(
  prompt: PromptSize,
  model: Pick<Model, 'contextTokens' | 'prices' | 'mediaCosts'>,
  fees: Fees = noFees,
): HoldBound {
  const promptTokens = Math.min(
    prompt.boundBytes + prompt.messages * tokensPerMessage + mediaTokens(prompt, model.mediaCosts),
    model.contextTokens,
  )
  const fixedNano = promptNanoMax(promptTokens, model.prices) + chargeNano(fees, model.prices)
  return { promptTokens, fixedNano }
}

function mediaTokens({ images, imageSizes, audioSeconds, videoSeconds }: PromptSize, costs: MediaCosts): number {
  const { image, audioTokensPerSecond, videoTokensPerSecond } = costs
  const seen = imageSizes.reduce((sum, size) => sum + imageTokens(size, image), 0)
  const unseen = images * image.maxTokens
  return seen + unseen + audioSeconds * audioTokensPerSecond + videoSeconds * videoTokensPerSecond
}

function chargeNano({ searches, pages }: Fees, { searchNano, pageNano }: PriceList): Amount {
  return BigInt(searches) * searchNano + BigInt(pages) * pageNano
}

/** Which part of the prompt is cached is known only afterwards, so that all of it counts at the dearest of the prices. */
function promptNanoMax(promptTokens: number, prices: PriceList): Amount {
  const { inputNanoPerMillion, cacheReadNanoPerMillion, cacheWriteNanoPerMillion } = prices
  const dearest = maxAmount(inputNanoPerMillion, maxAmount(cacheReadNanoPerMillion, cacheWriteNanoPerMillion))
  return dearest === 0n ? 0n : chargePerMillion(promptTokens, dearest) + roundingNano
}
