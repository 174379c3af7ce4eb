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

/** Pictures that are read as such (venice.md §1.3); an SVG is text. */
const imageData = /^data:image\/(?!svg)/i
const imageName = /\.(?:png|jpe?g|gif|webp|avif|heic|heif)(?:[?#]|$)/i

/** A file counts by what its sender calls it, since it is looked into only once it is paid for. */
export function hasImage({ content }: JsonObject): boolean {
  return Array.isArray(content) && content.some(part => isJsonObject(part) && isImage(part))
}

function isImage(part: JsonObject): boolean {
  if (Object.hasOwn(part, 'image_url')) return true
  const { file } = part
  if (!isJsonObject(file)) return false
  const { file_data: data, filename: name } = file
  if (typeof data === 'string' && (imageData.test(data) || namesImage(data))) return true
  return typeof name === 'string' && imageName.test(name)
}

function namesImage(source: string): boolean {
  return /^https?:/i.test(source) && imageName.test(source)
}

export function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap(part => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : []))
    .join('\n')
}
