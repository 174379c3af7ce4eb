import type { AccountId } from './ids.ts'

interface SuppliedImage {
  readonly bytes: Uint8Array
  /** Whose turn it is, as for documents. */
  readonly accountId: AccountId
}

export interface DecodedImage {
  readonly kind: 'image'
  /** In pixels, as it is shown: turned as its orientation says. Of the first frame where there are several. */
  readonly width: number
  readonly height: number
  /** What the bytes are: image/png, image/jpeg, image/webp, image/avif, image/heic or image/gif. */
  readonly mediaType: string
  /** The picture in the form that was asked for; null when none was. */
  readonly converted: { readonly mediaType: 'image/png' | 'image/jpeg'; readonly bytes: Uint8Array } | null
}

export type ImageFailureReason =
  | 'too_many_pixels'
  | 'too_large'
  | 'timeout'
  | 'unreadable'
  | 'unsupported'
  | 'busy'
  | 'disabled'

export interface ImageFailure {
  readonly kind: 'failure'
  readonly reason: ImageFailureReason
}

/** Port: whether bytes are a picture that decodes to its last pixel, and the same picture in another form. */
export interface ImageDecoder {
  /**
   * More than 50 megapixels are refused from the header, before anything is decoded. Never rejects for a picture,
   * however bad it is.
   * @throws AbortError when the signal aborts
   */
  decode(
    image: SuppliedImage,
    signal: AbortSignal,
    options?: { readonly to?: 'png' | 'jpeg' },
  ): Promise<DecodedImage | ImageFailure>
}
