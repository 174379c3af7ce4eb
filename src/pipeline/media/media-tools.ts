import type { DocumentReader } from '../../core/document-reader.ts'
import type { GuardedFetch } from '../../core/guarded-fetch.ts'
import type { ImageDecoder } from '../../core/image-decoder.ts'
import type { MediaMeter } from '../../core/media-meter.ts'
import type { SniffType } from '../../core/sniff-type.ts'
import type { ByteBudget } from './byte-budget.ts'

/** What preparing media needs from outside. */
export interface MediaTools {
  readonly fetch: GuardedFetch
  readonly images: ImageDecoder
  readonly meter: MediaMeter
  readonly documents: DocumentReader
  readonly sniff: SniffType
  readonly budget: ByteBudget
}
