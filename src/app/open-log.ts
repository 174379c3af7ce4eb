import { createPinoLogger } from '../adapters/system/pino-logger.ts'
import { openStandardOutput, sharedWriteBytesMax } from '../adapters/system/standard-output.ts'
import { systemClock } from '../adapters/system/system-clock.ts'
import type { Environment } from '../config/env.ts'
import type { LogFields, Logger } from '../core/logger.ts'

/** `shared stdout`: other processes of this gateway write to it as well. */
export type LogTarget = 'stdout' | 'shared stdout' | 'silent'

export interface Log {
  readonly logger: Logger
  /** Writes out what is left. */
  flush(): Promise<void>
}

const nothing = (): void => undefined
const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** `always` is in every line. */
export async function openLog(
  target: LogTarget,
  { logLevel, noColor }: Environment,
  always: LogFields = {},
): Promise<Log> {
  if (target === 'silent') return { logger: silentLogger, flush: () => Promise.resolve() }
  const isShared = target === 'shared stdout'
  const output = openStandardOutput(lostLines => logger.warn('log.lines_lost', { lostLines }), { isShared })
  const pretty = process.stdout.isTTY === true
  const logger = await createPinoLogger({
    level: logLevel,
    pretty,
    color: pretty && !noColor,
    clock: systemClock,
    output,
    always,
    ...(isShared ? { lineBytesMax: sharedWriteBytesMax } : {}),
  })
  return { logger, flush: output.flush }
}
