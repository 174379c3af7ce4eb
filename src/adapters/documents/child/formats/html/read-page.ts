import type { Extracted } from '../../reading.ts'
import { decodeText } from '../decode-text.ts'
import { htmlToMarkdown } from './html-to-markdown.ts'

/** A page that was saved, or read from the web. */
export function readPage(bytes: Uint8Array): Extracted {
  return { text: htmlToMarkdown(decodeText(bytes)), pages: null }
}
