import type { Turn } from '../../domain/search/query/make-query.ts'
import type { JsonObject, JsonValue } from '../../lib/json.ts'
import { isJsonObject } from '../../lib/json.ts'

/** More of one message says nothing of what is to be looked up. */
const turnCharactersMax = 20_000

/** What was said in a conversation, without what is no text. */
export function turnsOf(messages: readonly JsonObject[]): readonly Turn[] {
  return messages.flatMap(({ role, content }): Turn[] =>
    role === 'user' || role === 'assistant' ? [{ role, text: textOf(content).slice(0, turnCharactersMax) }] : [],
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
