export type LogFields = Readonly<Record<string, unknown>>

/**
 * One JSON line per event. The event is a stable dotted name (`engine.ejected`); everything variable goes into fields.
 * Fields never hold prompts, answers, keys or addresses of callers.
 */
export interface Logger {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}
