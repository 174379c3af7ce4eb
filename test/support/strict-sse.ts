/** A line that grows beyond this is dropped: nothing under test may send one. */
const MAX_LINE_BYTES = 16 * 1024 * 1024
const MAX_VIOLATIONS = 100

export interface SseEvent {
  /** The `data:` lines of the event, joined with a newline. */
  readonly data: string
  /** When its blank line came, `performance.now()` in milliseconds. */
  readonly at: number
}

export interface StrictSseParser {
  readonly events: SseEvent[]
  readonly comments: string[]
  readonly violations: string[]
  push(bytes: Buffer, at: number): void
  /** Call at the end of a complete body: an event without its blank line is a violation. */
  finish(): void
}

/**
 * Reads SSE as the gateway promises to write it, and lists each departure: lines other than `data: ` and comments,
 * carriage returns, events without data, data that is neither JSON nor `[DONE]`, anything after `[DONE]`, bytes that
 * are not UTF-8, an event without its blank line.
 */
export function createStrictSseParser(): StrictSseParser {
  const events: SseEvent[] = []
  const comments: string[] = []
  const violations: string[] = []
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let rest: Buffer = Buffer.alloc(0)
  let data: string[] = []
  let done = false

  function violate(what: string): void {
    if (violations.length < MAX_VIOLATIONS) violations.push(what)
  }

  function readLine(line: string, at: number): void {
    if (line.includes('\r')) violate(`carriage return in ${quote(line)}`)
    if (done && line !== '') violate(`${quote(line)} after [DONE]`)
    if (line === '') endEvent(at)
    else if (line.startsWith(':')) comments.push(line.slice(1).trim())
    else if (line.startsWith('data: ')) data.push(line.slice('data: '.length))
    else violate(`unexpected line ${quote(line)}`)
  }

  function endEvent(at: number): void {
    // A blank line after a comment ends nothing.
    if (data.length === 0) return
    const text = data.join('\n')
    data = []
    events.push({ data: text, at })
    if (text === '[DONE]') done = true
    else if (!isJsonObject(text)) violate(`no JSON object: ${quote(text)}`)
  }

  return {
    events,
    comments,
    violations,
    push(bytes, at) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      if (rest.length > MAX_LINE_BYTES && !rest.includes('\n')) {
        violate(`a line of more than ${MAX_LINE_BYTES} bytes`)
        rest = rest.subarray(rest.length)
      }
      for (let index = rest.indexOf('\n'); index >= 0; index = rest.indexOf('\n')) {
        const line = rest.subarray(0, index)
        rest = rest.subarray(index + 1)
        try {
          readLine(decoder.decode(line), at)
        } catch (error) {
          if (!(error instanceof TypeError)) throw error
          violate(`not UTF-8: ${line.toString('hex').slice(0, 200)}`)
        }
      }
    },
    finish() {
      if (rest.length > 0 || data.length > 0) violate(`no blank line after the last event: ${rest.length} bytes`)
    },
  }
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 200))
}
