/** How SSE events are spelt on the wire. All styles mean the same events. */
export interface SseStyle {
  /** `mixed` takes LF, CRLF and CR in turn, line by line. */
  readonly newline?: '\n' | '\r\n' | '\r' | 'mixed'
  /** Whether a space follows `data:`. True unless said otherwise. */
  readonly space?: boolean
  /** Spreads the JSON of each event over three `data:` lines. */
  readonly multiLine?: boolean
  /** Puts a comment line before each event and an empty comment after each. */
  readonly comments?: boolean
  /** Adds `event:`, `id:` and `retry:` lines, which mean nothing here. */
  readonly fields?: boolean
  /** A byte order mark before the first event. */
  readonly byteOrderMark?: boolean
}

/** Named styles for matrices. */
export const sseStyles = {
  lf: {},
  crlf: { newline: '\r\n' },
  cr: { newline: '\r' },
  mixed: { newline: 'mixed' },
  noSpace: { space: false },
  multiLine: { multiLine: true },
  multiLineCrlf: { multiLine: true, newline: '\r\n' },
  comments: { comments: true },
  fields: { fields: true },
  byteOrderMark: { byteOrderMark: true },
} satisfies Record<string, SseStyle>

/** One event, blank line included. `first` is true for the first event of the stream. */
export function encodeEvent(data: string, style: SseStyle = {}, first = false): Buffer {
  const prefix = style.space === false ? 'data:' : 'data: '
  const lines = [
    ...(style.comments === true ? [': the engine is alive', ':'] : []),
    ...(style.fields === true ? ['event: message', 'id: 7', 'retry: 3000'] : []),
    ...(style.multiLine === true ? spread(data) : [data]).map(line => prefix + line),
    '',
  ]
  const text = lines.map((line, index) => line + newlineOf(style, index)).join('')
  return Buffer.from(style.byteOrderMark === true && first ? `\uFEFF${text}` : text)
}

function newlineOf(style: SseStyle, index: number): string {
  if (style.newline !== 'mixed') return style.newline ?? '\n'
  return ['\n', '\r\n', '\r'][index % 3] ?? '\n'
}

/** Cuts after the first and before the last brace, where JSON allows a line break. */
function spread(data: string): string[] {
  return data.startsWith('{') && data.endsWith('}') ? ['{', data.slice(1, -1), '}'] : [data]
}
