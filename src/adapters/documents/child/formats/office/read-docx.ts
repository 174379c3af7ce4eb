import mammoth from 'mammoth'
import type { Extracted } from '../../reading.ts'
import { htmlToMarkdown } from '../html/html-to-markdown.ts'
import { refuseDoctypes } from '../zip/office-kind.ts'
import type { Container } from '../zip/open-container.ts'

/** Headings, paragraphs, lists, tables, footnotes and endnotes. Pictures leave their description behind. */
export async function readDocx(bytes: Uint8Array, parts: Container): Promise<Extracted> {
  refuseDoctypes(parts)
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), idPrefix: '', externalFileAccess: false },
  )
  return { text: htmlToMarkdown(value), pages: null }
}
