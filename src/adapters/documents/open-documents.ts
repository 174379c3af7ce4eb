import type { Clock } from '../../core/clock.ts'
import type { DocumentReader } from '../../core/document-reader.ts'
import type { ImageDecoder } from '../../core/image-decoder.ts'
import type { MediaMeter } from '../../core/media-meter.ts'
import type { PageConverter } from '../../core/page-converter.ts'
import type { Timers } from '../../core/timers.ts'
import { createCachedReader } from './cached-reader.ts'
import { createJobPool } from './pool/job-pool.ts'
import { buildWalls, type Walls } from './pool/walls.ts'
import { createPooledDecoder } from './pooled-decoder.ts'
import { createPooledMeter } from './pooled-meter.ts'
import { createPooledPages } from './pooled-pages.ts'
import { createPooledReader } from './pooled-reader.ts'

export interface DocumentsOptions {
  /** Files that are read at a time; 0 reads none. */
  readonly childrenMax: number
  readonly memoryBytesMax: number
  readonly cpuMsMax: number
  readonly wallMsMax: number
  readonly clock: Clock
  readonly timers: Timers
}

export interface Documents {
  readonly reader: DocumentReader
  readonly decoder: ImageDecoder
  readonly meter: MediaMeter
  readonly pages: PageConverter
  /** Ends all children; resolves when they are gone. */
  close(): Promise<void>
}

/** Nothing is started before the first file comes. */
export function openDocuments({ childrenMax, clock, timers, ...limits }: DocumentsOptions): Documents {
  let built: Promise<Walls> | null = null
  const walls = () => {
    built ??= buildWalls(limits).catch(error => {
      // Nothing is known yet, so that the next file tries again.
      built = null
      throw error
    })
    return built
  }
  const pool = createJobPool({ childrenMax, limits, walls, clock, timers })
  return {
    reader: createCachedReader(createPooledReader(pool), clock),
    decoder: createPooledDecoder(pool),
    meter: createPooledMeter(pool),
    pages: createPooledPages(pool),
    close: () => pool.close(),
  }
}
