import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts'
import type { MediaKind, MediaPlace } from './media.ts'

/** The members that hold a medium, and where in them it stands when they are objects. */
const holders: ReadonlyMap<string, { readonly kind: MediaKind; readonly key: string }> = new Map([
  ['image_url', { kind: 'image', key: 'url' }],
  ['input_audio', { kind: 'audio', key: 'data' }],
  ['video_url', { kind: 'video', key: 'url' }],
  ['file', { kind: 'file', key: 'file_data' }],
])

/** Words of somebody; what stands in them is text, addresses included. */
const textTypes: ReadonlySet<JsonValue | undefined> = new Set([
  ...['text', 'refusal', 'thinking', 'reasoning', 'tool_use', 'tool_result'],
])

/** Any scheme: whatever it is, some reader would follow it. */
const address = /^[a-z][a-z0-9+.-]*:/i
const dataUrl = /^data:/i

/**
 * Whether the source leads somewhere instead of holding the medium: what is no data URL is an address or a path, and
 * engines exist that follow either.
 */
export function isReference({ kind, source }: Pick<MediaPlace, 'kind' | 'source'>): boolean {
  if (kind === 'audio') return source.includes(':')
  return !dataUrl.test(source)
}

/** The media of the messages, in their order. `path` of each is its place in `messages`. */
export function findMedia(messages: readonly JsonObject[]): MediaPlace[] {
  return messages.flatMap(({ content }, message) =>
    Array.isArray(content)
      ? content.flatMap((part, index) => findIn(part, { message, path: ['messages', message, 'content', index] }))
      : [],
  )
}

type Position = Pick<MediaPlace, 'message' | 'path'>

/**
 * By its members and not by its type, since there are engines that read parts without one so. A part that holds several
 * things is none that the gateway can vouch for.
 */
function findIn(part: JsonValue, position: Position): MediaPlace[] {
  if (!isJsonObject(part) || textTypes.has(part['type'])) return []
  const found = Object.keys(part).flatMap(member => findMember(part, member, position))
  const [first, second] = found
  if (first === undefined) return []
  return [second === undefined ? first : { ...first, kind: 'other' }]
}

function findMember(part: JsonObject, member: string, position: Position): MediaPlace[] {
  const held = part[member]
  const holder = holders.get(member)
  const source = holder === undefined ? undefined : isJsonObject(held) ? held[holder.key] : held
  if (holder === undefined || typeof source !== 'string') return findAddress(part, member, position)
  const { format, filename } = isJsonObject(held) ? held : {}
  const names = { format: textOrNull(format), fileName: textOrNull(filename) }
  return [{ ...position, ...names, kind: holder.kind, part, member, source }]
}

/** An address in another member, at most one level deep, as all dialects have it: `{audio_url: {url}}`, `{url}`. */
function findAddress(part: JsonObject, member: string, position: Position): MediaPlace[] {
  const held = part[member]
  const texts = isJsonObject(held) ? Object.values(held) : [held]
  const source = texts.find(text => typeof text === 'string' && address.test(text) && !text.includes(' '))
  if (typeof source !== 'string') return []
  return [{ ...position, kind: 'other', part, member, source, format: null, fileName: null }]
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
