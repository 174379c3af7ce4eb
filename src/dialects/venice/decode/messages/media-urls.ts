import { imageTypes, videoTypes } from '../../../../core/media.ts'
import { readDataUrl } from '../../../../lib/data-url.ts'

/** Schemes and declared types of media. Nothing is fetched or decoded here (venice.md §1.3). */

/** Longer than any address that servers take; data URLs are bounded by the body. */
const addressCharactersMax = 8_192

const address = /^https?:\/\/[^/?#]/i

function isAddress(url: string): boolean {
  return url.length <= addressCharactersMax && address.test(url) && URL.canParse(url)
}

export function isImageUrl(url: string): boolean {
  return isAddress(url) || isInlineImage(url)
}

export function isInlineImage(url: string): boolean {
  return imageTypes.has(readDataUrl(url)?.mediaType ?? '')
}

export function isVideoUrl(url: string): boolean {
  return isAddress(url) || videoTypes.has(readDataUrl(url)?.mediaType ?? '')
}

export function isReadableFile(data: string): boolean {
  return isAddress(data) || readDataUrl(data) !== null
}
