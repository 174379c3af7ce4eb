import { type MediaPlace, videoTypes } from '../../core/media.ts'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import { addDataUrl, loadMedium, type MediaWork } from './load-medium.ts'
import { measureSeconds } from './measure-seconds.ts'
import { mediaRefused } from './media-refused.ts'

const accept = 'video/mp4,video/mpeg,video/quicktime,video/webm'

/** What films of the five types look like, and the name that engines know them by. */
const typeOf: ReadonlyMap<string, string> = new Map([
  ['video/mp4', 'video/mp4'],
  ['video/x-m4v', 'video/mp4'],
  ['video/3gpp', 'video/mp4'],
  ['video/quicktime', 'video/quicktime'],
  ['video/webm', 'video/webm'],
  ['video/mpeg', 'video/mpeg'],
  ['video/mp1s', 'video/mpeg'],
  ['video/mp2p', 'video/mpeg'],
])

/** A video part as a data URL of the bytes that were looked at. @throws GatewayError */
export async function prepareVideo(place: MediaPlace, work: MediaWork): Promise<JsonObject> {
  const loaded = await loadMedium(place, accept, work)
  if (loaded === null || !videoTypes.has(loaded.mediaType ?? '')) throw mediaRefused(place, 'video', work)
  const type = typeOf.get((await work.tools.sniff(loaded.bytes)) ?? '')
  if (type === undefined) throw mediaRefused(place, 'video', work)
  await measureSeconds({ place, kind: 'video', bytes: loaded.bytes }, work)
  const held = place.part['video_url']
  const url = await addDataUrl(type, loaded.bytes, work)
  return { ...place.part, video_url: isJsonObject(held) ? { ...held, url } : { url } }
}
