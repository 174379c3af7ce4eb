/** The log of a gateway as its operator reads it: one JSON object per line (operator.md §1). */

export interface LogLine {
  readonly event?: string
  readonly level?: string | number
  readonly [name: string]: unknown
}

/** The lines that are log lines; what else was printed, such as the first-run text, is left out. */
export function readLog(output: string): LogLine[] {
  return output.split('\n').flatMap(line => {
    if (!line.startsWith('{')) return []
    try {
      return [JSON.parse(line) as LogLine]
    } catch {
      return []
    }
  })
}

export function eventsNamed(output: string, name: string): LogLine[] {
  return readLog(output).filter(({ event }) => event === name)
}
