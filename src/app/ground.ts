import type { Clock } from '../core/clock.ts'
import type { Logger } from '../core/logger.ts'
import type { Random } from '../core/random.ts'
import type { Timers } from '../core/timers.ts'

/** What the process brings: everything that is not configuration. */
export interface Ground {
  readonly clock: Clock
  readonly random: Random
  readonly timers: Timers
  readonly logger: Logger
  /** Hashes keys and protects stored answers. */
  readonly secret: Buffer
  /** Absolute; processes may share it. */
  readonly dataFolder: string
  /** Where traces go; null for none. */
  readonly traceEndpoint: string | null
  /** Name and version, as engines see it. */
  readonly userAgent: string
  /** Called when the store is lost for good: the process must end and start again. */
  readonly onFatal: (error: Error) => void
}
