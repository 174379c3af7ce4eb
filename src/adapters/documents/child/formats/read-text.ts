import type { Extracted } from '../reading.ts'
import { decodeText } from './decode-text.ts'

/** Text, Markdown, CSV, JSON and source code are text already. */
export function readText(bytes: Uint8Array): Extracted {
  return { text: decodeText(bytes).replace(/\r\n?/g, '\n'), pages: null }
}
