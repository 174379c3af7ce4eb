import { countCodePoints } from '../../../lib/code-points.ts'
import type { JsonObject } from '../../../lib/json.ts'

/** How this surface counts the tokens of a file (venice.md §3). */
const charactersPerToken = 3.2

export function encodeParsedText(text: string): JsonObject {
  return { text, tokens: Math.ceil(countCodePoints(text) / charactersPerToken) }
}
