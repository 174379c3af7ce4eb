import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json.ts'
import { findAddresses } from './find-addresses.ts'
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
  ...['text', 'input_text', 'output_text', 'refusal', 'thinking', 'reasoning', 'tool_use', 'tool_result'],
])

/** Members that engines look for whatever the part calls itself. */
const mediaMember = /^(?:input_)?(?:image|audio|video|file)s?(?:_url)?$/i

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
 * things is none that the gateway can vouch for: it is judged by what leads elsewhere in it.
 */
function findIn(part: JsonValue, position: Position): MediaPlace[] {
  if (!isJsonObject(part)) return []
  if (textTypes.has(part['type'])) return findBesideText(part, position)
  const found = Object.keys(part).flatMap(member => findMember(part, member, position))
  const [first, second] = found
  if (first === undefined) return []
  return [second === undefined ? first : asOther(found.find(isReference) ?? first)]
}

/** Engines that go by the members would follow these, too. A tool's result may hold parts of its own. */
function findBesideText(part: JsonObject, position: Position): MediaPlace[] {
  const { type, content } = part
  const beside = Object.keys(part)
    .filter(member => mediaMember.test(member))
    .flatMap(member => findMember(part, member, position))
  const inner = type === 'tool_result' && Array.isArray(content) ? content : []
  const within = inner
    .flatMap(element => findIn(element, position))
    .map(found => ({ ...found, part, member: 'content' }))
  const leading = [...beside, ...within].find(found => found.source !== '' && isReference(found))
  return leading === undefined ? [] : [asOther(leading)]
}

function asOther(place: MediaPlace): MediaPlace {
  return { ...place, kind: 'other' }
}

function findMember(part: JsonObject, member: string, position: Position): MediaPlace[] {
  const held = part[member]
  const holder = holders.get(member)
  const source = holder === undefined ? undefined : isJsonObject(held) ? held[holder.key] : held
  if (holder === undefined || typeof source !== 'string') return findOther(held, { part, member, position })
  const { [holder.key]: _, format, filename, ...beside } = isJsonObject(held) ? held : {}
  const names = { format: textOrNull(format), fileName: textOrNull(filename) }
  const place: MediaPlace = { ...position, ...names, kind: holder.kind, part, member, source }
  return [place, ...findOther(beside, { part, member, position })]
}

interface Whereabouts {
  readonly part: JsonObject
  readonly member: string
  readonly position: Position
}

/** An address in what is none of the media that the gateway knows: `{audio_url: {url}}`, `{video: [url]}`. */
function findOther(held: JsonValue | undefined, { part, member, position }: Whereabouts): MediaPlace[] {
  const places = findAddresses(held, member).map(
    (source): MediaPlace => ({ ...position, kind: 'other', part, member, source, format: null, fileName: null }),
  )
  const place = places.find(isReference) ?? places[0]
  return place === undefined ? [] : [place]
}

function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
