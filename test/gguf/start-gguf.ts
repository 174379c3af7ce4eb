import { randomBytes } from 'node:crypto'
import { type GgufProcess, startGgufProcess } from '../../src/adapters/engines/gguf-process.ts'
import type { LogFields, Logger } from '../../src/core/logger.ts'

export interface StartOptions {
  readonly contextTokens?: number
  /** Hears every event that the adapter logs. */
  readonly onEvent?: (event: string, fields: LogFields) => void
}

/** Starts the engine with one thread, as all tests want it: the machine is shared. */
export function startGguf(file: string, { onEvent, ...options }: StartOptions = {}): Promise<GgufProcess> {
  const log: Logger['info'] = (event, fields = {}) => onEvent?.(event, fields)
  return startGgufProcess({
    ...options,
    file,
    threads: 1,
    signal: new AbortController().signal,
    random: { bytes: count => randomBytes(count), hex: count => randomBytes(count).toString('hex') },
    logger: { debug: log, info: log, warn: log, error: log },
  })
}
