import { isReference } from '../../core/find-media.ts'
import type { MediaPlace } from '../../core/media.ts'
import { isJsonObject, type JsonObject } from '../../lib/json.ts'
import { addBase64, decodeBase64, type MediaWork } from './load-medium.ts'
import { measureSeconds } from './measure-seconds.ts'
import { mediaRefused } from './media-refused.ts'

/** What the bytes of each format look like (venice.md §1.3). Raw samples look like nothing. */
const containers: ReadonlyMap<string, readonly string[]> = new Map([
  ['wav', ['audio/wav', 'audio/vnd.wave', 'audio/x-wav']],
  ['mp3', ['audio/mpeg']],
  ['aiff', ['audio/aiff']],
  ['aac', ['audio/aac']],
  ['ogg', ['audio/ogg', 'audio/ogg; codecs=opus', 'audio/opus', 'application/ogg']],
  ['flac', ['audio/flac', 'audio/x-flac']],
  ['m4a', ['audio/mp4', 'audio/x-m4a', 'video/mp4']],
])
const sampleBytes: ReadonlyMap<string, number> = new Map([
  ['pcm16', 2],
  ['pcm24', 3],
])

/** An audio part that is what its format says, with its base64 in the one usual spelling. @throws GatewayError */
export async function prepareAudio(place: MediaPlace, work: MediaWork): Promise<JsonObject> {
  const format = place.format ?? 'wav'
  if (isReference(place)) throw mediaRefused(place, 'audio', work)
  const bytes = await decodeBase64(place.source, work)
  if (bytes === null || !(await isOfFormat(bytes, format, work.tools.sniff))) throw mediaRefused(place, 'audio', work)
  if (!sampleBytes.has(format)) await measureSeconds({ place, kind: 'audio', bytes }, work)
  const held = place.part['input_audio']
  const data = await addBase64(bytes, work)
  return { ...place.part, input_audio: { ...(isJsonObject(held) ? held : {}), data, format } }
}

async function isOfFormat(bytes: Buffer, format: string, sniff: MediaWork['tools']['sniff']): Promise<boolean> {
  const width = sampleBytes.get(format)
  if (width !== undefined) return bytes.length % width === 0
  const type = await sniff(bytes)
  return type !== null && containers.get(format)?.includes(type) === true
}
