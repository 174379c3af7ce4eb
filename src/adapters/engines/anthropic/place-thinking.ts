import type { JsonObject } from '../../../lib/json.ts'

/** The format that signed thoughts of Claude carry between the gateway and its callers. */
export const thinkingFormat = 'anthropic-claude-v1'

interface PlacedThinking {
  /** Its place among the blocks of the message; null at the front. */
  readonly index: number | null
  readonly block: JsonObject
}

/**
 * Puts the thoughts that a caller brings back where they stood among the other blocks: the API compares them with what it
 * signed. Pieces of one thought, as some callers keep them, are joined; what is not signed cannot go back.
 */
export function placeThinking(details: readonly JsonObject[], others: readonly JsonObject[]): JsonObject[] {
  const left = [...others]
  const placed: JsonObject[] = []
  for (const { index, block } of joinPieces(details).flatMap(readThinking)) {
    while (index !== null && placed.length < index && left.length > 0) placed.push(...left.splice(0, 1))
    placed.push(block)
  }
  return [...placed, ...left]
}

function joinPieces(details: readonly JsonObject[]): JsonObject[] {
  const joined: JsonObject[] = []
  for (const detail of details) {
    const last = joined.at(-1)
    const continues =
      detail['type'] === 'reasoning.text' &&
      last?.['type'] === 'reasoning.text' &&
      typeof last['signature'] !== 'string' &&
      last['index'] === detail['index']
    if (continues) joined[joined.length - 1] = { ...last, ...detail, text: textOf(last) + textOf(detail) }
    else joined.push(detail)
  }
  return joined
}

function readThinking(detail: JsonObject): PlacedThinking[] {
  const { type, signature, data, index, format } = detail
  if (typeof format === 'string' && format !== thinkingFormat) return []
  const place = typeof index === 'number' ? index : null
  if (type === 'reasoning.text' && typeof signature === 'string')
    return [{ index: place, block: { type: 'thinking', thinking: textOf(detail), signature } }]
  if (type === 'reasoning.encrypted' && typeof data === 'string')
    return [{ index: place, block: { type: 'redacted_thinking', data } }]
  return []
}

function textOf({ text }: JsonObject): string {
  return typeof text === 'string' ? text : ''
}
