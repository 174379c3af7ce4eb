import type { Grounding } from '../../../core/grounding.ts'
import type { JsonObject } from '../../../lib/json.ts'

/** In the order of the marks; a date that is not known is empty (venice.md §3). */
export function encodeCitations({ sources }: Grounding): JsonObject[] {
  return sources.map(({ title, url, content, date }) => ({ title, url, content, date: date ?? '' }))
}
