import type { Logger } from '../../core/logger.ts'
import { createPinoLogger, type PinoLoggerOptions } from './pino-logger.ts'
import { openStandardOutput } from './standard-output.ts'

export interface ProcessLog {
  readonly logger: Logger
  /** Resolves when everything is written, or could not be for two seconds. A process that exits writes it unasked. */
  flush(): Promise<void>
}

/** The log of a process, on its standard output. Lines that a slow reader lost are counted in a line of their own. */
export function openProcessLog(options: Omit<PinoLoggerOptions, 'output'>): ProcessLog {
  const output = openStandardOutput(lines => logger.warn('log.dropped', { lines }))
  const logger = createPinoLogger({ ...options, output })
  return { logger, flush: () => output.flush() }
}
