import { documentFailure } from '../../core/document-reader.ts'
import { fileText, unreadableFileText } from '../../core/file-text.ts'
import { FetchRefused } from '../../core/guarded-fetch.ts'
import { documentTextBytes } from '../../core/measure-media.ts'
import type { MediaPlace } from '../../core/media.ts'
import type { JsonObject } from '../../lib/json.ts'
import { type LoadedMedium, loadMedium, type MediaWork } from './load-medium.ts'
import { refuseMedia } from './media-refused.ts'
import { checkedImage } from './prepare-image.ts'

const accept = '*/*'
const notLoaded =
  'it must be a base64 data URL or a public http(s) URL that answers without a redirect, of at most 25 MB'
const cutMark = '\n[The rest of this file was left out.]'

/**
 * A file part as text, or as an image part where it is an image. What cannot be read becomes a text that says so, and the
 * request goes on (venice.md §1.3).
 * @throws GatewayError no_capacity; invalid_media for an image where the model sees none
 */
export async function prepareFile(place: MediaPlace, work: MediaWork): Promise<JsonObject> {
  const loaded = await loadFile(place, work)
  if (loaded === null) return textPart(place, work, unreadableFileText(place.fileName, notLoaded))
  const { bytes, mediaType } = loaded
  const { tools, accountId, signal } = work
  const name = place.fileName ?? nameIn(place.source)
  const reading = await tools.documents.read({ bytes, name, mediaType, accountId }, signal)
  if (reading.kind === 'image') return imagePart(place, loaded, work)
  if (reading.kind === 'failure') return textPart(place, work, unreadableFileText(name, reading.detail))
  return textPart(place, work, fileText(name, cutText(reading.text, documentTextBytes(place))))
}

async function loadFile(place: MediaPlace, work: MediaWork): Promise<LoadedMedium | null> {
  try {
    return await loadMedium(place, accept, work)
  } catch (error) {
    if (error instanceof FetchRefused) return null
    throw error
  }
}

async function imagePart(place: MediaPlace, loaded: LoadedMedium, work: MediaWork): Promise<JsonObject> {
  if (!work.canSee)
    throw refuseMedia(place, 'This model reads no images, and the file is one.', 'file is not supported by this model')
  const url = await checkedImage(place, loaded, work)
  if (url === null)
    return textPart(place, work, unreadableFileText(place.fileName, documentFailure('unreadable').detail))
  return { type: 'image_url', image_url: { url }, ...marksOf(place.part) }
}

function textPart({ part }: MediaPlace, { sizes }: MediaWork, text: string): JsonObject {
  sizes.set(part, { kind: 'text', bytes: Buffer.byteLength(text) })
  return { type: 'text', text, ...marksOf(part) }
}

function marksOf({ cache_control: mark }: JsonObject): JsonObject {
  return mark === undefined ? {} : { cache_control: mark }
}

/** The last step of an address's path, which people take for a file's name. */
function nameIn(source: string): string | null {
  if (source.startsWith('data:') || !URL.canParse(source)) return null
  return new URL(source).pathname.split('/').at(-1) || null
}

/** What was held pays for so many bytes and no more. */
function cutText(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= bytesMax) return text
  const cut = bytes.toString('utf8', 0, bytesMax - cutMark.length)
  return `${cut.replace(/\ufffd+$/, '')}${cutMark}`
}
