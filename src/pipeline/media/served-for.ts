import { isReference } from '../../core/find-media.ts'
import type { GatewayError } from '../../core/gateway-error.ts'
import type { MediaPlace } from '../../core/media.ts'
import type { Model, ServedBy } from '../../core/model.ts'
import { refuseMedia } from './media-refused.ts'
import { isYouTubeAddress } from './youtube-address.ts'

/**
 * The nodes that may get a request with these media. Addresses that the gateway does not fetch itself go only to engines
 * that the operator marked `fetchesUrls` (operator.md §3).
 * @throws GatewayError invalid_media when no node may get them
 */
export function servedFor(
  media: readonly MediaPlace[],
  model: Model,
  urlFetchers: ReadonlySet<string>,
): readonly ServedBy[] {
  const passed = media.find(isPassedOn)
  if (passed === undefined) return model.served
  const served = model.served.filter(({ engineId }) => urlFetchers.has(engineId))
  if (served.length === 0) throw notFetched(passed)
  return served
}

/** What reaches an engine as the caller wrote it, address and all. */
export function isPassedOn(place: MediaPlace): boolean {
  return place.kind === 'other' || (place.kind === 'video' && isYouTubeAddress(place.source))
}

function notFetched(place: MediaPlace): GatewayError {
  if (!isReference(place))
    return refuseMedia(
      place,
      'The gateway looks at all media for this model, and knows no part of this kind. Send it as `image_url`, `input_audio`, `video_url` or `file`.',
    )
  const engines = 'The engines of this model do not fetch URLs'
  if (place.kind === 'video') return refuseMedia(place, `${engines}, YouTube links included. Send the video itself.`)
  return refuseMedia(place, `${engines}, and the gateway knows no part of this kind. Send what it leads to.`)
}
