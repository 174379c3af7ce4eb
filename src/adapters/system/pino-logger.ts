import { type DestinationStream, pino } from 'pino'
import { prettyFactory } from 'pino-pretty'
import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/logger.ts'
import { cleanLogFields } from './clean-log-fields.ts'
import { shortenLogLine } from './log-line.ts'

export interface PinoLoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** For people in front of a terminal, instead of JSON. */
  readonly pretty: boolean
  readonly color: boolean
  readonly clock: Clock
  readonly output: DestinationStream
}

/** The log: one JSON line of at most 8 KiB per event, without secrets (operator.md §1). */
export function createPinoLogger({ level, pretty, color, clock, output }: PinoLoggerOptions): Logger {
  const instance = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: () => `,"time":${clock.now()}`,
      formatters: { level: label => ({ level: label }) },
      hooks: { streamWrite: shortenLogLine },
    },
    pretty ? prettified(output, color) : output,
  )
  const options = { showStacks: level === 'debug' }
  const writer =
    (at: PinoLoggerOptions['level']): Logger['info'] =>
    (event, fields) => {
      // Cleaning costs more than asking whether anybody will see it.
      if (instance.isLevelEnabled(at)) instance[at](cleanLogFields(fields ?? {}, options), event)
    }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}

function prettified(output: DestinationStream, color: boolean): DestinationStream {
  const prettify = prettyFactory({
    colorize: color,
    messageKey: 'event',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  })
  return { write: line => output.write(prettify(line)) }
}
