import type { LogFields, Logger } from '../../src/core/logger.ts'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  readonly fields: LogFields
}

/** Keeps what is logged, for tests to look at. */
export class MemoryLogger implements Logger {
  readonly lines: LogLine[] = []

  debug(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'debug', event, fields })
  }

  info(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', event, fields })
  }

  warn(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', event, fields })
  }

  error(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', event, fields })
  }

  events(level?: LogLine['level']): string[] {
    return this.lines.filter(line => level === undefined || line.level === level).map(line => line.event)
  }
}
