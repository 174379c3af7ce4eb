/** The log of a gateway as its operator reads it: one JSON object per line (operator.md §1). */

export interface LogLine {
  readonly event?: string
  readonly level?: string | number
  readonly [name: string]: unknown
}

/** The lines that are log lines; what else was printed, such as the first-run text, is left out. */
export function readLog(output: string): LogLine[] {
  return output.split('\n').flatMap(line => (line.startsWith('{') ? parseLine(line) : []))
}

/** The log lines of one event. */
export function eventsNamed(output: string, name: string): LogLine[] {
  const member = `"event":${JSON.stringify(name)}`
  // Parsing the few lines that matter is what a long log has time for.
  return output.split('\n').flatMap(line => (line.startsWith('{') && line.includes(member) ? parseLine(line) : []))
}

function parseLine(line: string): LogLine[] {
  try {
    return [JSON.parse(line) as LogLine]
  } catch {
    return [] // Cut off by a kill.
  }
}
