import type { ReasoningWish } from '../../core/completion-request.ts'
import type { Model } from '../../core/model.ts'

/** Every effort that callers know, the least first. */
const effortsInOrder = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/**
 * What of a wish the model can fulfil (venice.md §10). A model that cannot stop thinking thinks as little as it can; one
 * that does not think is told nothing. An effort wins over the switch.
 */
export function reasoningFor(wish: ReasoningWish, { capabilities, reasoning }: Model): ReasoningWish {
  if (!capabilities.reasoning) return { ...wish, effort: null, enabled: null, summary: null }
  const isOff = wish.effort === 'none' || (wish.effort === null && wish.enabled === false)
  const efforts = reasoning?.efforts ?? []
  if (!isOff) return { ...wish, effort: nearest(wish.effort, efforts) }
  if (reasoning?.canDisable ?? false) return { ...wish, effort: null, enabled: false }
  return { ...wish, effort: lowest(efforts), enabled: null }
}

/** `minimal` stands for the least there is; other efforts were checked, or are the engine's to judge. */
function nearest(effort: string | null, efforts: readonly string[]): string | null {
  if (effort !== 'minimal' || efforts.length === 0 || efforts.includes(effort)) return effort
  return lowest(efforts)
}

function lowest(efforts: readonly string[]): string | null {
  return effortsInOrder.find(effort => effort !== 'none' && efforts.includes(effort)) ?? null
}
