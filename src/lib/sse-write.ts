/** The event that ends a stream of completions. */
export const sseDone: Buffer = Buffer.from('data: [DONE]\n\n')

const prefix = Buffer.from('data: ')
const suffix = Buffer.from('\n\n')
const lineFeed = 0x0a
const carriageReturn = 0x0d

/**
 * One server-sent event: `data: …` and an empty line. JSON never holds a raw line break; a payload that does becomes one
 * data line per line, so that it cannot end the event early or add fields to it.
 */
export function encodeSseData(payload: Buffer | string): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (bytes.includes(lineFeed) || bytes.includes(carriageReturn)) {
    const lines = bytes.toString('utf8').split(/\r\n|\r|\n/)
    return Buffer.from(`${lines.map(line => `data: ${line}`).join('\n')}\n\n`)
  }
  return Buffer.concat([prefix, bytes, suffix])
}

/** A comment that readers ignore and that keeps a quiet connection open. Line breaks in `text` become spaces. */
export function sseComment(text: string): Buffer {
  return Buffer.from(`: ${text.replace(/[\r\n]+/g, ' ')}\n\n`)
}
