import type { Model } from '../../core/model.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'

/** The most breakpoints that models with explicit caching take (venice.md §11). */
const breakpointsMax = 4

const ephemeral: JsonObject = { type: 'ephemeral' }

/** The family whose engines take breakpoints; others cache by prefix and may choke on a part that they do not know. */
const breakpointFamily = 'claude'

/**
 * Caller's marks reach the engines that take them. Where places are free, the gateway marks the end of the system prompt
 * and of the last but one message of the user, which stay the same from turn to turn.
 */
export function setCacheBreakpoints(messages: readonly JsonObject[], model: Model): readonly JsonObject[] {
  if (model.family !== breakpointFamily) return messages.map(removeMarks)
  let free = breakpointsMax - messages.reduce((sum, message) => sum + countMarks(message), 0)
  const marked = new Set<number>()
  for (const index of [lastOf(messages, isSystem, 1), lastOf(messages, isUser, 2)]) {
    const message = index === null ? undefined : messages[index]
    if (index === null || message === undefined || free === 0 || countMarks(message) > 0) continue
    marked.add(index)
    free -= 1
  }
  return messages.map((message, index) => (marked.has(index) ? markEnd(message) : message))
}

function isSystem({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer'
}

function isUser({ role }: JsonObject): boolean {
  return role === 'user'
}

/** The index of the `nth` message from the end that is such a one. */
function lastOf(messages: readonly JsonObject[], isSuch: (message: JsonObject) => boolean, nth: number): number | null {
  const indexes = messages.flatMap((message, index) => (isSuch(message) ? [index] : []))
  return indexes.at(-nth) ?? null
}

function countMarks({ content }: JsonObject): number {
  return Array.isArray(content) ? content.filter(hasMark).length : 0
}

function hasMark(part: JsonValue): boolean {
  return isJsonObject(part) && part['cache_control'] !== undefined
}

function removeMarks(message: JsonObject): JsonObject {
  const { content } = message
  if (!Array.isArray(content) || !content.some(hasMark)) return message
  return { ...message, content: content.map(withoutMark) }
}

function withoutMark(part: JsonValue): JsonValue {
  if (!isJsonObject(part)) return part
  const { cache_control: _mark, ...rest } = part
  return rest
}

function markEnd(message: JsonObject): JsonObject {
  const { content } = message
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(parts) || parts.length === 0 || content === '') return message
  const last = parts.at(-1)
  if (!isJsonObject(last)) return message
  return { ...message, content: [...parts.slice(0, -1), { ...last, cache_control: ephemeral }] }
}
