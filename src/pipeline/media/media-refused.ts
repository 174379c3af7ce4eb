import { GatewayError } from '../../core/gateway-error.ts'
import { gatewayFull } from '../../core/gateway-full.ts'
import {
  audioRefusedText,
  imageRefusedText,
  type MediaKind,
  type MediaPlace,
  videoRefusedText,
} from '../../core/media.ts'
import { isJsonObject } from '../../lib/json.ts'

/**
 * One text per kind, whatever was wrong: what lies behind an address, and why it cannot be had, is not told
 * (reliability.md §5.6). It says all that is wanted, so that the caller can look for the mend.
 */
const wanted = {
  image: { title: imageRefusedText, mend: imageWanted('PNG, JPEG, WebP, HEIF, HEIC or AVIF') },
  audio: {
    title: audioRefusedText,
    mend: 'It must be base64 of at most 25 MB, without a URL or a data: prefix, and be what its `format` says: wav, mp3, aiff, aac, ogg, flac, m4a, pcm16 or pcm24.',
  },
  video: {
    title: videoRefusedText,
    mend: 'It must be MP4, MPEG, QuickTime, MOV or WebM of at most 25 MB; behind a public http(s) URL that answers 2xx with that type and without a redirect, or in a base64 data URL.',
  },
} as const

/** Where GIF is taken too. */
const wantedWithGif = { ...wanted.image, mend: imageWanted('PNG, JPEG, WebP, GIF, HEIF, HEIC or AVIF') }

function imageWanted(types: string): string {
  return `It must be a ${types} image that decodes, of at most 25 MB and 50 megapixels, with 64 to 16,384 pixels on each side; behind a public http(s) URL that answers 2xx with that type and without a redirect, or in a base64 data URL.`
}

/** A medium that is none of what its surface takes. */
export function mediaRefused(
  place: MediaPlace,
  kind: keyof typeof wanted,
  { takesGif, cause }: { readonly takesGif: boolean; readonly cause?: unknown },
): GatewayError {
  const { title, mend } = kind === 'image' && takesGif ? wantedWithGif : wanted[kind]
  return refuseMedia(place, mend, title, cause)
}

/** `title` is what clients match on; the message is the title and how to mend it. */
export function refuseMedia(place: MediaPlace, mend: string, title?: string, cause?: unknown): GatewayError {
  const message = title === undefined ? mend : `${title} ${mend}`
  const at = [...place.path, ...memberPath(place)]
  return new GatewayError('invalid_media', message, {
    param: at.join('.'),
    issues: [{ path: at, message, facts: { code: 'custom' } }],
    facts: { title: title ?? message },
    cause,
  })
}

const keys: Partial<Record<MediaKind, string>> = { image: 'url', audio: 'data', video: 'url', file: 'file_data' }

function memberPath({ kind, part, member }: MediaPlace): string[] {
  const key = keys[kind]
  return key === undefined || !isJsonObject(part[member]) ? [member] : [member, key]
}

export function mediaBusy(): GatewayError {
  return gatewayFull(
    'It fetches and holds as many images, sounds, films and files of running requests as it can (128 at a time, 512 MiB; one account gets three quarters at most).',
  )
}

/** `documents.maxChildren: 0`: nothing may reach an engine that nobody can look at. */
export function imagesDisabled(): GatewayError {
  return new GatewayError(
    'not_configured',
    'This gateway takes no images: its operator has switched their reading off.',
  )
}
