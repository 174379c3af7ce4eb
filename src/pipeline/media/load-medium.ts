import { isReference } from '../../core/find-media.ts'
import { type FetchedResource, FetchRefused } from '../../core/guarded-fetch.ts'
import type { MediumSize } from '../../core/measure-media.ts'
import { type MediaPlace, mediaBytesMax } from '../../core/media.ts'
import { decodeBase64Steps, encodeBase64Steps } from '../../lib/base64-steps.ts'
import { base64Bytes, readDataUrl } from '../../lib/data-url.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { RawTexts } from '../../lib/raw-texts.ts'
import { inTurns } from '../../lib/turns.ts'
import type { ByteShare } from './byte-budget.ts'
import { mediaBusy } from './media-refused.ts'
import type { MediaTools } from './media-tools.ts'

/**
 * For one medium, from the look-up of its name to its last byte; reliability.md §6.6 allows ten seconds. After ten seconds a
 * stream's first keep-alive takes the 200 with it (venym.md §3), so that a fetch ends clearly before: a host that says
 * nothing is refused with a status of its own.
 */
const fetchMs = 8_000

/** What a medium is prepared with. */
export interface MediaWork {
  readonly tools: MediaTools
  readonly share: ByteShare
  /** Takes the media of prepared parts, whose marks stand in them. */
  readonly texts: RawTexts
  /** Takes what media turned out to be, by the callers' parts. */
  readonly sizes: Map<JsonObject, MediumSize>
  readonly accountId: string
  readonly signal: AbortSignal
  /** A picture in a file needs a model that sees (venice.md §19). */
  readonly canSee: boolean
  /** Of all engines that may get the request: their forms of pictures, beside those that every engine reads. */
  readonly readsHeic: boolean
  /** Whether the surface takes GIF (venice.md §1.3 does not). */
  readonly takesGif: boolean
}

export interface LoadedMedium {
  readonly bytes: Buffer
  /** Declared, in small letters; null when nothing was declared. */
  readonly mediaType: string | null
}

/**
 * The bytes of a medium: those that stand in the body, or those behind an address, fetched once.
 * @throws FetchRefused, GatewayError no_capacity; null for what is neither, or is larger than 25 MB
 */
export async function loadMedium(place: MediaPlace, accept: string, work: MediaWork): Promise<LoadedMedium | null> {
  return isReference(place) ? loadAddress(place.source, accept, work) : loadInline(place.source, work)
}

async function loadInline(source: string, work: MediaWork): Promise<LoadedMedium | null> {
  const declared = readDataUrl(source)
  if (declared === null) return null
  const bytes = await decodeBase64(source.slice(declared.dataStart), work)
  return bytes === null ? null : { bytes, mediaType: declared.mediaType }
}

/**
 * Null when it is larger than a medium may be, nothing, or no base64.
 * @throws GatewayError no_capacity; what the signal says
 */
export async function decodeBase64(text: string, { share, signal }: MediaWork): Promise<Buffer | null> {
  if (base64Bytes(text.length) > mediaBytesMax + 2) return null
  if (!share.take(base64Bytes(text.length))) throw mediaBusy()
  const bytes = await inTurns(decodeBase64Steps(text), signal)
  return bytes === null || bytes.length === 0 || bytes.length > mediaBytesMax ? null : bytes
}

/** Room is taken as bytes come: a host that says nothing takes none from others. */
async function loadAddress(address: string, accept: string, work: MediaWork): Promise<LoadedMedium> {
  const { tools, share, accountId: owner, signal } = work
  let taken = 0
  const mayKeep = (bytes: number) => {
    if (!share.take(bytes)) return false
    taken += bytes
    return true
  }
  try {
    const limits = { bytesMax: mediaBytesMax, totalMs: fetchMs, redirectsMax: 0, mayKeep }
    const { bytes, contentType } = await unlessBusy(() => tools.fetch({ address, owner, accept, ...limits }, signal))
    return { bytes, mediaType: contentType }
  } catch (error) {
    share.give(taken)
    throw error
  }
}

/** Too many fetches, or too many bytes, are the gateway's matter and no fault of the address. */
async function unlessBusy(ask: () => Promise<FetchedResource>): Promise<FetchedResource> {
  try {
    return await ask()
  } catch (error) {
    throw error instanceof FetchRefused && error.reason === 'busy' ? mediaBusy() : error
  }
}

/** The mark of a data URL of these bytes. */
export function addDataUrl(mediaType: string, bytes: Uint8Array, work: MediaWork): Promise<string> {
  return addEncoded(`data:${mediaType};base64,`, bytes, work)
}

/** The mark of the bare base64 of these bytes, in its one usual spelling. */
export function addBase64(bytes: Uint8Array, work: MediaWork): Promise<string> {
  return addEncoded('', bytes, work)
}

async function addEncoded(head: string, bytes: Uint8Array, { texts, signal }: MediaWork): Promise<string> {
  return texts.add(await inTurns(encodeBase64Steps(head, bytes), signal))
}
