import { unreadableFileText } from '../../../../core/file-text.ts'
import { imageRefusedText, videoRefusedText } from '../../../../core/media.ts'
import { looksLikeBase64 } from '../../../../lib/data-url.ts'
import type { JsonObject } from '../../../../lib/json.ts'
import { given } from '../fields.ts'
import { custom, wrongString } from '../issues/issue-wording.ts'
import type { Path } from '../issues/schema-issue.ts'
import { isImageUrl, isInlineImage, isReadableFile, isVideoUrl } from './media-urls.ts'
import {
  audioPartSchema,
  type CacheControl,
  filePartSchema,
  imagePartSchema,
  textPartSchema,
  videoPartSchema,
} from './part-schemas.ts'
import type { PromptReading } from './prompt-reading.ts'

/** One part of a message → OpenAI's form of it; null when something is wrong with it, which was told to the reading. */
type PartDecoder = (part: JsonObject, path: Path, reading: PromptReading) => JsonObject | null

const imageWanted = 'a public http(s) URL, or a base64 data URL of PNG, JPEG, WebP, HEIF, HEIC or AVIF'
const videoWanted = 'a public http(s) URL, or a base64 data URL of MP4, MPEG, QuickTime, MOV or WebM'

/** By type, in the order in which callers are told of them. */
export const partDecoders: ReadonlyMap<string, PartDecoder> = new Map<string, PartDecoder>([
  ['text', decodeText],
  ['image_url', decodeImage],
  ['input_audio', decodeAudio],
  ['video_url', decodeVideo],
  ['file', decodeFile],
])

function decodeText(part: JsonObject, path: Path, { problems }: PromptReading): JsonObject | null {
  const checked = problems.check(textPartSchema, part, path)
  return checked === undefined ? null : { type: 'text', text: checked.text, ...cacheOf(checked) }
}

function decodeImage(part: JsonObject, path: Path, reading: PromptReading): JsonObject | null {
  const checked = reading.problems.check(imagePartSchema, part, path)
  if (checked === undefined) return null
  const { url, detail } = checked.image_url
  if (!isImageUrl(url)) {
    const wording = custom(`${imageRefusedText} The URL must be ${imageWanted}.`)
    reading.problems.add([...path, 'image_url', 'url'], wording, imageRefusedText)
    return null
  }
  reading.need('vision', [...path, 'image_url'])
  return { type: 'image_url', image_url: { url, ...given({ detail }) }, ...cacheOf(checked) }
}

function decodeAudio(part: JsonObject, path: Path, reading: PromptReading): JsonObject | null {
  const checked = reading.problems.check(audioPartSchema, part, path)
  if (checked === undefined) return null
  const { data, format } = checked.input_audio
  if (!looksLikeBase64(data)) {
    const wording = wrongString('base64', 'Audio must stand here as base64, without a URL or a data: prefix')
    reading.problems.add([...path, 'input_audio', 'data'], wording)
    return null
  }
  reading.need('audioInput', [...path, 'input_audio'])
  return { type: 'input_audio', input_audio: { data, format: format ?? 'wav' }, ...cacheOf(checked) }
}

function decodeVideo(part: JsonObject, path: Path, reading: PromptReading): JsonObject | null {
  reading.countVideo()
  const checked = reading.problems.check(videoPartSchema, part, path)
  if (checked === undefined) return null
  const { url } = checked.video_url
  if (!isVideoUrl(url)) {
    const wording = custom(`${videoRefusedText} The URL must be ${videoWanted}.`)
    reading.problems.add([...path, 'video_url', 'url'], wording, videoRefusedText)
    return null
  }
  reading.need('videoInput', [...path, 'video_url'])
  return { type: 'video_url', video_url: { url }, ...cacheOf(checked) }
}

/** A file becomes text, or an image part, once it is paid for. What is no file at all becomes a text that says so. */
function decodeFile(part: JsonObject, path: Path, reading: PromptReading): JsonObject | null {
  const checked = reading.problems.check(filePartSchema, part, path)
  if (checked === undefined) return null
  const { file_data, filename } = checked.file
  if (!isReadableFile(file_data)) {
    const text = unreadableFileText(filename ?? null, 'file_data must be a base64 data URL or a public http(s) URL')
    return { type: 'text', text, ...cacheOf(checked) }
  }
  if (isInlineImage(file_data)) reading.need('vision', [...path, 'file'])
  return { type: 'file', file: { file_data, ...given({ filename }) }, ...cacheOf(checked) }
}

function cacheOf({ cache_control: cache }: { readonly cache_control?: CacheControl }): JsonObject {
  if (cache === undefined || cache === null) return {}
  return { cache_control: { type: cache.type, ...given({ ttl: cache.ttl }) } }
}
