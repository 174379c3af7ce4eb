import { isJsonObject, parseJson } from '../../lib/json.ts'

/** The longest line in bytes, line break included (reliability.md §6.6). */
export const logLineBytesMax = 8_192
const memberTextMax = 512
/** Room for the sign that something is missing, and the line break. */
const reservedBytes = 32

/** What a line must say whatever else is left out; the event stands at its end. */
const firstNames = ['level', 'time', 'event']

/**
 * Shortens a line of the log that is too long. It stays one JSON object with level, time and event: long members become
 * the beginning of their text, and those that no longer fit are left out.
 */
export function shortenLogLine(line: string, bytesMax: number = logLineBytesMax): string {
  // No UTF-16 unit takes more than three bytes, so most lines need no counting.
  if (line.length * 3 <= bytesMax || Buffer.byteLength(line) <= bytesMax) return line
  const value = parseJson(line)
  if (!isJsonObject(value)) return ''
  const names = Object.keys(value)
  let text = '{'
  for (const name of [...firstNames, ...names.filter(name => !firstNames.includes(name))]) {
    const full = JSON.stringify(value[name] ?? null)
    const shown = full.length > memberTextMax ? JSON.stringify(`${full.slice(0, memberTextMax)}…`) : full
    const next = `${text}${JSON.stringify(name)}:${shown},`
    if (Buffer.byteLength(next) <= bytesMax - reservedBytes) text = next
  }
  return `${text}"truncated":true}\n`
}
