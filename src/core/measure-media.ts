import { base64Bytes, readDataUrl } from '../lib/data-url.ts'
import type { JsonObject } from '../lib/json.ts'
import type { PromptSize } from './completion-request.ts'
import { fileFrameBytesMax } from './file-text.ts'
import { isReference } from './find-media.ts'
import { type MediaPlace, mediaBytesMax } from './media.ts'
import type { ImageSize } from './media-costs.ts'

/** The most text that one file may give (reliability.md §6.6, parser child). */
const documentTextBytesMax = 2_097_152
/** Containers are refused above this ratio, so a small file cannot hold much text. */
const documentTextRatioMax = 100
const documentTextBytesMin = 65_536

/** Bytes that a second of sound has at least: raw at 8 kHz, a WAV file with a telephone's codec, else 8 kbit/s. */
const audioBytesPerSecondMin: Readonly<Record<string, number>> = {
  pcm16: 16_000,
  pcm24: 24_000,
  wav: 1_600,
  aiff: 4_000,
}
const compressedBytesPerSecondMin = 1_000

/** Upper bounds of what media can cost, from nothing but the length of what stands in the body (money.md §5). */
export interface MediaBounds {
  /** Files count too, since one may turn out to be an image. */
  readonly images: number
  readonly audioSeconds: number
  readonly videoSeconds: number
  /** UTF-8 bytes of text that files may become, with the names and marks around it. */
  readonly documentBytes: number
  /** Of the body: characters of media, which are never text. */
  readonly bodyBytes: number
}

export function measureMedia(places: readonly MediaPlace[]): MediaBounds {
  const bounds = { images: 0, audioSeconds: 0, videoSeconds: 0, documentBytes: 0, bodyBytes: 0 }
  for (const place of places) {
    const { kind, source } = place
    if (kind !== 'other') bounds.bodyBytes += source.length
    if (kind === 'image' || kind === 'file') bounds.images += 1
    if (kind === 'file') bounds.documentBytes += documentTextBytes(place) + fileFrameBytesMax
    if (kind === 'audio') bounds.audioSeconds += secondsMax(place, bytesOf(place))
    if (kind === 'video') bounds.videoSeconds += secondsMax(place, bytesOf(place))
  }
  return bounds
}

/** Whole seconds that a sound or a film of so many bytes has at most, whatever is in it. */
export function secondsMax(place: MediaPlace, bytes: number): number {
  return Math.ceil(bytes / (place.kind === 'audio' ? audioRate(place) : compressedBytesPerSecondMin))
}

/** What a medium turned out to be, once it was looked at. */
export type MediumSize =
  | ({ readonly kind: 'image' } & ImageSize)
  | { readonly kind: 'audio' | 'video'; readonly seconds: number }
  /** UTF-8 bytes of what a file became. */
  | { readonly kind: 'text'; readonly bytes: number }

/** The prompt with what is known in the place of what was thought possible. Sizes by the callers' parts. */
export function measurePrepared(
  prompt: PromptSize,
  places: readonly MediaPlace[],
  sizes: ReadonlyMap<JsonObject, MediumSize>,
): PromptSize {
  const thought = measureMedia(places.filter(({ part }) => sizes.has(part)))
  const found = places.flatMap(({ part }) => sizes.get(part) ?? [])
  const secondsOf = (kind: 'audio' | 'video') =>
    found.reduce((sum, size) => sum + (size.kind === kind ? Math.ceil(size.seconds) : 0), 0)
  const textBytes = found.reduce((sum, size) => sum + (size.kind === 'text' ? size.bytes : 0), 0)
  return {
    ...prompt,
    boundBytes: prompt.boundBytes - thought.documentBytes + textBytes,
    images: prompt.images - thought.images,
    imageSizes: found.flatMap(size => (size.kind === 'image' ? [size] : [])),
    audioSeconds: prompt.audioSeconds - thought.audioSeconds + secondsOf('audio'),
    videoSeconds: prompt.videoSeconds - thought.videoSeconds + secondsOf('video'),
  }
}

/** What of a file's text may enter the prompt: so much was held for it. UTF-8 bytes. */
export function documentTextBytes(place: MediaPlace): number {
  if (isReference(place)) return documentTextBytesMax
  const most = Math.max(documentTextBytesMin, bytesOf(place) * documentTextRatioMax)
  return Math.min(documentTextBytesMax, most)
}

function audioRate({ format }: MediaPlace): number {
  const name = format ?? 'wav'
  return (
    (Object.hasOwn(audioBytesPerSecondMin, name) ? audioBytesPerSecondMin[name] : null) ?? compressedBytesPerSecondMin
  )
}

/** Of an address nothing is known before it was fetched. */
function bytesOf(place: MediaPlace): number {
  if (isReference(place)) return mediaBytesMax
  const { source } = place
  return base64Bytes(source.length - (readDataUrl(source)?.dataStart ?? 0))
}
