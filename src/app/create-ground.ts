import { resolve } from 'node:path'
import { cryptoRandom } from '../adapters/system/crypto-random.ts'
import { systemClock } from '../adapters/system/system-clock.ts'
import { systemTimers } from '../adapters/system/system-timers.ts'
import type { Environment } from '../config/env.ts'
import type { Logger } from '../core/logger.ts'
import type { Ground } from './ground.ts'

export interface GroundParts {
  readonly environment: Environment
  readonly logger: Logger
  readonly secret: string
  /** Ends the process in an orderly way. */
  readonly end: () => void
}

export function createGround({ environment, logger, secret, end }: GroundParts): Ground {
  return {
    clock: systemClock,
    random: cryptoRandom,
    timers: systemTimers,
    logger,
    secret: Buffer.from(secret),
    dataFolder: resolve(environment.dataFolder),
    traceEndpoint: environment.traceEndpoint,
    userAgent: 'rialto',
    onFatal: error => {
      logger.error('store.lost', { error })
      process.exitCode = 1
      end()
    },
  }
}
