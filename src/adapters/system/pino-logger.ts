import { type DestinationStream, pino } from 'pino'
import type { Clock } from '../../core/clock.ts'
import type { LogFields, Logger } from '../../core/logger.ts'
import { cleanLogFields } from './clean-log-fields.ts'
import { logLineBytesMax, shortenLogLine } from './log-line.ts'

export interface PinoLoggerOptions {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  /** For people in front of a terminal, instead of JSON. */
  readonly pretty: boolean
  readonly color: boolean
  readonly clock: Clock
  readonly output: DestinationStream
  /** What every line says, besides its own. */
  readonly always?: LogFields
  /** The longest line in bytes. Default 8 KiB. */
  readonly lineBytesMax?: number
}

/** The log: one JSON line of bounded length per event, without secrets (operator.md §1). */
export async function createPinoLogger(loggerOptions: PinoLoggerOptions): Promise<Logger> {
  const { level, pretty, color, clock, output, always = null, lineBytesMax = logLineBytesMax } = loggerOptions
  const instance = pino(
    {
      level,
      base: always,
      messageKey: 'event',
      timestamp: () => `,"time":${clock.now()}`,
      formatters: { level: label => ({ level: label }) },
      hooks: { streamWrite: line => shortenLogLine(line, lineBytesMax) },
    },
    pretty ? await prettified(output, color) : output,
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

/** What only people need is loaded only for them. */
async function prettified(output: DestinationStream, color: boolean): Promise<DestinationStream> {
  const { prettyFactory } = await import('pino-pretty')
  const prettify = prettyFactory({
    colorize: color,
    messageKey: 'event',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  })
  return { write: line => output.write(prettify(line)) }
}
