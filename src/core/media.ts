import type { JsonObject } from '../lib/json.ts'

/** `other`: a part of a kind that the gateway does not know, which holds an address. */
export type MediaKind = 'image' | 'audio' | 'video' | 'file' | 'other'

/** A part of a message that is not text, and what stands in it. */
export interface MediaPlace {
  readonly kind: MediaKind
  /** The part itself, by whose identity it is found again. */
  readonly part: JsonObject
  /** Index of its message in the messages that it was found in. */
  readonly message: number
  /** Where the caller wrote it. */
  readonly path: readonly (string | number)[]
  /** The member of the part that holds `source`, such as `image_url`. */
  readonly member: string
  /** A data URL, an address, or of audio the bare base64. */
  readonly source: string
  /** Of audio, as the caller names it; null where nothing is named. */
  readonly format: string | null
  /** Of files; null where they have none. */
  readonly fileName: string | null
}

/** The media types that each kind may have, as callers declare them in small letters (venice.md §1.3). */
export const imageTypes: ReadonlySet<string> = new Set(
  ['png', 'jpeg', 'jpg', 'webp', 'heif', 'heic', 'avif'].map(type => `image/${type}`),
)
/** Engines of the OpenAI shape are known to take it; the strict surface names the six above alone. */
export const gifType = 'image/gif'
export const videoTypes: ReadonlySet<string> = new Set(
  ['mp4', 'mpeg', 'quicktime', 'mov', 'webm'].map(type => `video/${type}`),
)

/** Largest image, sound, film or file after decoding: 25 MB (venice.md §1.3), read generously. */
export const mediaBytesMax = 26_214_400

/** The exact texts that clients match on (venice.md §1.3). */
export const imageRefusedText = 'Supplied image did not pass validation checks.'
export const videoRefusedText = 'Supplied video did not pass validation checks.'
export const audioRefusedText = 'Supplied audio did not pass validation checks.'
