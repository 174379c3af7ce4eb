import { type Extracted, ReadingFailure } from '../reading.ts'
import { type DocumentKind, documentKind, type NamedBytes } from './document-kind.ts'

/** A reading of a whole document, and what its bytes turned out to be. */
export type Read = Extracted & { readonly mediaType: string }

const office = 'application/vnd.openxmlformats-officedocument'
const mediaTypes: Readonly<Record<DocumentKind, string>> = {
  pdf: 'application/pdf',
  docx: `${office}.wordprocessingml.document`,
  pptx: `${office}.presentationml.presentation`,
  xlsx: `${office}.spreadsheetml.sheet`,
  xls: 'application/vnd.ms-excel',
  epub: 'application/epub+zip',
  page: 'text/html',
  text: 'text/plain',
}

/** Finds out what a document is and reads it. Each format's library is loaded when it is needed. @throws ReadingFailure, Error */
export async function readFormat(document: NamedBytes): Promise<Read> {
  const { kind, parts } = await documentKind(document)
  const extracted = await extract(kind, document.bytes, parts)
  if (extracted.text.trim() === '' && kind !== 'text') throw new ReadingFailure('no_text')
  return { ...extracted, mediaType: mediaTypes[kind] }
}

async function extract(
  kind: DocumentKind,
  bytes: Uint8Array,
  parts: Awaited<ReturnType<typeof documentKind>>['parts'],
) {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf/read-pdf.ts')).readPdf(bytes)
    case 'docx':
      return (await import('./office/read-docx.ts')).readDocx(bytes, parts)
    case 'pptx':
      return (await import('./office/read-pptx.ts')).readPptx(parts)
    case 'xlsx':
    case 'xls':
      return (await import('./office/read-workbook.ts')).readWorkbook(bytes, parts)
    case 'epub':
      return (await import('./office/read-epub.ts')).readEpub(parts)
    case 'page':
      return (await import('./html/read-page.ts')).readPage(bytes)
    case 'text':
      return (await import('./read-text.ts')).readText(bytes)
  }
}
