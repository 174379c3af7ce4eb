import { FetchRefused } from '../../core/guarded-fetch.ts'
import type { MediaKind, MediaPlace } from '../../core/media.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { PreparedParts } from '../compose/draft.ts'
import type { MediaWork } from './load-medium.ts'
import { mediaRefused } from './media-refused.ts'
import { prepareAudio } from './prepare-audio.ts'
import { prepareFile } from './prepare-file.ts'
import { prepareImage } from './prepare-image.ts'
import { prepareVideo } from './prepare-video.ts'
import { isPassedOn } from './served-for.ts'

/** Media of one request that are fetched and looked at together (reliability.md §6.6). */
const togetherMax = 4

type Prepare = (place: MediaPlace, work: MediaWork) => Promise<JsonObject>

const preparing: Readonly<Record<MediaKind, Prepare>> = {
  image: prepareImage,
  audio: prepareAudio,
  video: prepareVideo,
  file: prepareFile,
  other: async ({ part }) => part,
}

/**
 * What engines get in the places of the caller's media. The first failure ends the work on all others.
 * @throws GatewayError invalid_media, no_capacity; what the signal says
 */
export async function prepareMedia(places: readonly MediaPlace[], work: MediaWork): Promise<PreparedParts> {
  const prepared = new Map<JsonObject, JsonObject>()
  const waiting = places.filter(place => !isPassedOn(place))
  const stop = new AbortController()
  const within = { ...work, signal: AbortSignal.any([work.signal, stop.signal]) }
  const workOff = async () => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift())
      prepared.set(place.part, await prepareOne(place, within))
  }
  try {
    await Promise.all(Array.from({ length: Math.min(togetherMax, waiting.length) }, workOff))
  } finally {
    waiting.length = 0
    stop.abort()
  }
  return prepared
}

async function prepareOne(place: MediaPlace, work: MediaWork): Promise<JsonObject> {
  try {
    return await preparing[place.kind](place, work)
  } catch (error) {
    if (error instanceof FetchRefused && place.kind !== 'file' && place.kind !== 'other')
      throw mediaRefused(place, place.kind, { takesGif: work.takesGif, cause: error })
    throw error
  }
}
