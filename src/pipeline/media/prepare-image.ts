import type { DecodedImage } from '../../core/image-decoder.ts'
import { gifType, imageTypes, type MediaPlace } from '../../core/media.ts'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import { addDataUrl, type LoadedMedium, loadMedium, type MediaWork } from './load-medium.ts'
import { imagesDisabled, mediaBusy, mediaRefused } from './media-refused.ts'

const accept = 'image/png,image/jpeg,image/webp,image/avif,image/heic,image/heif'
const acceptWithGif = `${accept},${gifType}`

/** Pixels on each side (venice.md §1.3). */
const sideMin = 64
/** No engine looks at more, and many break. */
const sideMax = 16_384

/** What every engine that sees can read. Others are converted, unless the engine is known to read them. */
const readByAll: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp'])
const highEfficiency: ReadonlySet<string> = new Set(['image/heic', 'image/heif'])

/** An image part whose image decodes, as a data URL of exactly the bytes that were looked at. @throws GatewayError */
export async function prepareImage(place: MediaPlace, work: MediaWork): Promise<JsonObject> {
  const url = await checkedImage(place, await loadOrRefuse(place, work), work)
  if (url === null) throw mediaRefused(place, 'image', work)
  const held = place.part['image_url']
  return { ...place.part, image_url: isJsonObject(held) ? { ...held, url } : { url } }
}

async function loadOrRefuse(place: MediaPlace, work: MediaWork): Promise<LoadedMedium> {
  const loaded = await loadMedium(place, work.takesGif ? acceptWithGif : accept, work)
  const type = loaded?.mediaType ?? ''
  if (loaded === null || !(imageTypes.has(type) || (work.takesGif && type === gifType)))
    throw mediaRefused(place, 'image', work)
  return loaded
}

/** The mark of the data URL of an image that passed; null for one that did not. @throws GatewayError no_capacity, not_configured */
export async function checkedImage(
  { part }: MediaPlace,
  { bytes, mediaType: declared }: LoadedMedium,
  work: MediaWork,
): Promise<string | null> {
  const { tools, accountId, signal, share } = work
  const type = await tools.sniff(bytes)
  if (type === gifType ? !work.takesGif : declared === gifType) return null
  const image = await tools.images.decode({ bytes, accountId }, signal, formFor(type, work))
  if (image.kind === 'failure') {
    if (image.reason === 'busy') throw mediaBusy()
    if (image.reason === 'disabled') throw imagesDisabled()
    return null
  }
  if (!isSeeable(image)) return null
  const { converted, mediaType, width, height } = image
  work.sizes.set(part, { kind: 'image', width, height })
  if (converted === null) return addDataUrl(mediaType, bytes, work)
  if (!share.take(converted.bytes.length)) throw mediaBusy()
  return addDataUrl(converted.mediaType, converted.bytes, work)
}

/** Undefined for a picture that stays as it is. Of a GIF it is the first frame, without loss: it has few colours. */
function formFor(type: string | null, { readsHeic }: MediaWork): { readonly to: 'png' | 'jpeg' } | undefined {
  if (type === gifType) return { to: 'png' }
  if (type === null || readByAll.has(type) || type === 'image/apng') return undefined
  return readsHeic && highEfficiency.has(type) ? undefined : { to: 'jpeg' }
}

function isSeeable({ width, height }: DecodedImage): boolean {
  return Math.min(width, height) >= sideMin && Math.max(width, height) <= sideMax
}
