import { fileTypeFromBuffer } from 'file-type'
import { ReadingFailure } from '../reading.ts'
import { markedCoding } from './decode-text.ts'
import { oleKind } from './ole-kind.ts'
import type { Container } from './zip/open-container.ts'

export type DocumentKind = 'pdf' | 'docx' | 'pptx' | 'xlsx' | 'xls' | 'epub' | 'page' | 'text'

export interface NamedBytes {
  readonly bytes: Uint8Array
  readonly name: string | null
  readonly mediaType: string | null
}

export interface FoundKind {
  readonly kind: DocumentKind
  /** The text parts of a container; empty for what is none. */
  readonly parts: Container
}

const pdfHeader = '%PDF-'
/** Readers look for the header this far. */
const pdfHeaderWithin = 1_024
const zipStart = Buffer.from('PK\u0003\u0004')
const zipEnd = Buffer.from('PK\u0005\u0006')
const zipEndWithin = 65_557

/** What file-type knows of texts; anything else that it knows is no document. */
const textTypes = /^(text\/|application\/(xml|json)$|image\/svg)/

/** What a document is, by its bytes; where they are two things at once, by what the caller declares. @throws ReadingFailure */
export async function documentKind(document: NamedBytes): Promise<FoundKind> {
  const bytes = Buffer.from(document.bytes.buffer, document.bytes.byteOffset, document.bytes.length)
  const isPdf = bytes.subarray(0, pdfHeaderWithin).includes(pdfHeader)
  const isZip = bytes.subarray(-zipEndWithin).includes(zipEnd)
  if (isPdf && (!isZip || prefersPdf(document))) return { kind: 'pdf', parts: new Map() }
  if (isZip) return containerKind(bytes)
  const ole = oleKind(bytes)
  if (ole === 'encrypted') throw new ReadingFailure('encrypted')
  if (ole === 'other') throw new ReadingFailure('unsupported')
  return { kind: ole ?? (await textKind(bytes, document)), parts: new Map() }
}

function prefersPdf({ bytes, name, mediaType }: NamedBytes): boolean {
  if (mediaType === 'application/pdf') return true
  if (mediaType?.startsWith('application/vnd.') || mediaType === 'application/epub+zip') return false
  if (name !== null && /\.(docx|pptx|xlsx|epub)$/i.test(name)) return false
  return Buffer.from(bytes.subarray(0, 4)).compare(zipStart) !== 0
}

async function containerKind(bytes: Buffer): Promise<FoundKind> {
  const { openContainer } = await import('./zip/open-container.ts')
  const { officeKind } = await import('./zip/office-kind.ts')
  const parts = await openContainer(bytes)
  const kind = officeKind(parts)
  if (kind === null) throw new ReadingFailure('unsupported')
  return { kind, parts }
}

/** A container whose end is missing still begins like one. */
async function textKind(bytes: Buffer, document: NamedBytes): Promise<'page' | 'text'> {
  if (bytes.subarray(0, 4).equals(zipStart)) throw new ReadingFailure('unreadable')
  // The mark of UTF-16 could as well begin a frame of MPEG audio.
  if (markedCoding(bytes) !== null) return isPage(document) ? 'page' : 'text'
  const found = await fileTypeFromBuffer(bytes)
  if (found !== undefined && !textTypes.test(found.mime)) throw new ReadingFailure('unsupported')
  return isPage(document) ? 'page' : 'text'
}

/** Programs that do not know a file's type declare this one. */
const unknownType = 'application/octet-stream'

/** Only what is called one: source code and mail may begin with a tag, too. */
function isPage({ name, mediaType }: NamedBytes): boolean {
  if (mediaType !== null && mediaType !== unknownType) return /^(text\/html|application\/xhtml\+xml)$/.test(mediaType)
  return name !== null && /\.x?html?$/i.test(name)
}
