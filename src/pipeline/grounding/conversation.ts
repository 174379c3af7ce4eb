import { boundMessage } from '../../domain/search/query/bound-message.ts'
import type { Turn } from '../../domain/search/query/make-query.ts'
import type { JsonObject, JsonValue } from '../../lib/json.ts'
import { isJsonObject } from '../../lib/json.ts'

/** What was said in a conversation, without what is no text; of long messages the beginning and the end. */
export function turnsOf(messages: readonly JsonObject[]): readonly Turn[] {
  return messages.flatMap(({ role, content }): Turn[] =>
    role === 'user' || role === 'assistant' ? [{ role, text: boundMessage(textOf(content)) }] : [],
  )
}

export function lastQuestion(messages: readonly JsonObject[]): JsonObject | undefined {
  return messages.findLast(({ role }) => role === 'user')
}

export function hasImage({ content }: JsonObject): boolean {
  return Array.isArray(content) && content.some(part => isJsonObject(part) && Object.hasOwn(part, 'image_url'))
}

export function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap(part => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : []))
    .join('\n')
}
