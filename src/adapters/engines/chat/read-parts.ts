import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { invalidField } from '../request-refused.ts'
import type { MediaPart, MediaSource, Part, TextPart } from './chat.ts'
import { readCacheControl } from './read-tools.ts'

const audioTypes: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mp3',
  aiff: 'audio/aiff',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/m4a',
  pcm16: 'audio/l16',
  pcm24: 'audio/l24',
}

/** The content of a message; empty texts say nothing and are refused by engines. @throws RequestRefused */
export function readParts(content: JsonValue | undefined, path: string): readonly Part[] {
  if (content === undefined || content === null || content === '') return []
  if (typeof content === 'string') return [{ kind: 'text', text: content, cacheControl: null }]
  if (!Array.isArray(content)) throw invalidField(path, 'must be a text or a list of parts')
  return content.flatMap((part, index) => readPart(part, `${path}[${index}]`) ?? [])
}

function readPart(part: JsonValue, path: string): Part | null {
  if (!isJsonObject(part)) throw invalidField(path, 'must be an object')
  switch (part['type']) {
    case 'text':
      return readText(part, 'text', path)
    case 'refusal':
      return readText(part, 'refusal', path)
    case 'image_url':
      return readLinked(part, 'image', path)
    case 'video_url':
      return readLinked(part, 'video', path)
    case 'input_audio':
      return readAudio(part, path)
    case 'file':
      return readFile(part, path)
    default:
      throw invalidField(`${path}.type`, 'is no part that this model takes')
  }
}

function readText(part: JsonObject, name: string, path: string): TextPart | null {
  const text = part[name]
  if (typeof text !== 'string') throw invalidField(`${path}.${name}`, 'must be a text')
  return text === '' ? null : { kind: 'text', text, cacheControl: readCacheControl(part) }
}

/** `{type: "image_url", image_url: {url}}`, and the same for videos. */
function readLinked(part: JsonObject, kind: 'image' | 'video', path: string): MediaPart {
  const name = `${kind}_url`
  const linked = part[name]
  const url = isJsonObject(linked) ? linked['url'] : linked
  if (typeof url !== 'string') throw invalidField(`${path}.${name}.url`, 'must be an address')
  return { kind, source: readSource(url, `${path}.${name}.url`), cacheControl: readCacheControl(part), path }
}

function readAudio(part: JsonObject, path: string): MediaPart {
  const audio = part['input_audio']
  const { data, format } = isJsonObject(audio) ? audio : {}
  if (typeof data !== 'string') throw invalidField(`${path}.input_audio.data`, 'must be base64')
  const known = typeof format === 'string' && Object.hasOwn(audioTypes, format) ? audioTypes[format] : undefined
  const source = { kind: 'data', mediaType: known ?? 'audio/wav', base64: data } as const
  return { kind: 'audio', source, cacheControl: readCacheControl(part), path }
}

function readFile(part: JsonObject, path: string): MediaPart {
  const file = part['file']
  const data = isJsonObject(file) ? file['file_data'] : undefined
  if (typeof data !== 'string') throw invalidField(`${path}.file.file_data`, 'must be a data URL')
  return {
    kind: 'file',
    source: readSource(data, `${path}.file.file_data`),
    cacheControl: readCacheControl(part),
    path,
  }
}

/** `data:<type>;base64,<data>`, or an address of http or https. */
function readSource(url: string, path: string): MediaSource {
  if (/^https?:\/\//i.test(url)) return { kind: 'url', url }
  const comma = url.indexOf(',')
  const [mediaType = '', ...details] = url.slice('data:'.length, Math.max(comma, 0)).split(';')
  if (!url.startsWith('data:') || mediaType === '' || details.at(-1) !== 'base64')
    throw invalidField(path, 'must be an address of http or https, or a data URL with base64')
  return { kind: 'data', mediaType: mediaType.toLowerCase(), base64: url.slice(comma + 1) }
}
