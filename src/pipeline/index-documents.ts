import type { Clock } from '../core/clock.ts'
import type { DocumentReader } from '../core/document-reader.ts'
import { FetchRefused, type GuardedFetch } from '../core/guarded-fetch.ts'
import type { PageConverter } from '../core/page-converter.ts'
import { cleanText } from '../domain/search/clean-text.ts'
import type { DocumentFiles, FoundFile } from '../domain/search/document-source.ts'
import { type DocumentToIndex, IndexFull, type SearchIndex } from '../domain/search/search-index.ts'
import { cutDocument } from '../domain/search/text/cut-document.ts'

/** What documents are read and kept with. */
export interface IndexingPorts {
  readonly index: SearchIndex
  readonly reader: DocumentReader
  /** Finds the main text of HTML, without the menus and footers that every page of a site has. */
  readonly pages: PageConverter
  readonly files: DocumentFiles
  readonly fetch: GuardedFetch
  readonly clock: Clock
}

/** What became of a document. */
export type Indexed =
  | { readonly address: string; readonly title: string; readonly chunks: number }
  | { readonly address: string; readonly problem: string }

const bytesMax = 33_554_432
const pageBytesMax = 4_194_304
const pageMs = 20_000
const redirectsMax = 3
const titleCharactersMax = 300
const pageTypes = 'text/html, text/plain, text/markdown, application/pdf, */*;q=0.5'
/** Whose turn it is where documents of several accounts wait. */
const operator = 'operator'

const webAddress = /^https?:\/\//i
const htmlType = /^(?:text\/html|application\/xhtml\+xml)$/
const htmlName = /\.x?html?$/i

/** What a document says, before it is cut. */
interface ReadDocument {
  /** Null where only its headings could say it. */
  readonly title: string | null
  /** Markdown. */
  readonly text: string
}

interface FoundDocument {
  readonly bytes: Uint8Array
  readonly name: string
  readonly mediaType: string | null
  /** What its server says of its coding. */
  readonly charset: string | null
}

/**
 * Adds files, folders and pages to the index, one document after the other; one that cannot be read does not stop the rest.
 * `base` stands before the names of files, where they can be read on the web; null names them `index:…`.
 * @throws IndexFull, and Error for a source that is not there
 */
export async function* indexDocuments(
  ports: IndexingPorts,
  { sources, base }: { readonly sources: readonly string[]; readonly base: string | null },
  signal: AbortSignal,
): AsyncGenerator<Indexed> {
  for (const source of sources) {
    if (webAddress.test(source)) {
      const address = new URL(source).href
      yield await addOne(ports, address, () => readAddress(ports, source, signal))
    } else {
      for (const file of await ports.files.list(source))
        yield await addOne(ports, addressOf(file, base), () => readFile(ports, file, signal))
    }
  }
}

async function addOne(
  { index, clock }: IndexingPorts,
  address: string,
  read: () => Promise<ReadDocument>,
): Promise<Indexed> {
  try {
    const document = toDocument(address, await read(), clock.now())
    if (document.chunks.length === 0) return { address, problem: 'it holds no text' }
    await index.put(document)
    return { address, title: document.title, chunks: document.chunks.length }
  } catch (error) {
    if (error instanceof IndexFull || (error instanceof Error && error.name === 'AbortError')) throw error
    return { address, problem: error instanceof Error ? error.message : 'it cannot be read' }
  }
}

function toDocument(address: string, { title, text: markdown }: ReadDocument, addedAtMs: number): DocumentToIndex {
  const cut = cutDocument(markdown)
  const chunks = cut.chunks.map(({ heading, text }) => ({
    heading: cleanText(heading, text.length + heading.length),
    text: cleanText(text, text.length),
  }))
  const named = cleanText(title || (cut.title ?? ''), titleCharactersMax)
  return { address, title: named || lastPartOf(address), chunks: chunks.filter(({ text }) => text !== ''), addedAtMs }
}

async function readFile(ports: IndexingPorts, { path, name }: FoundFile, signal: AbortSignal): Promise<ReadDocument> {
  const bytes = await ports.files.read(path, bytesMax)
  return readDocument(ports, { bytes, name, mediaType: null, charset: null }, signal)
}

async function readAddress(ports: IndexingPorts, address: string, signal: AbortSignal): Promise<ReadDocument> {
  const request = { address, owner: operator, bytesMax: pageBytesMax, totalMs: pageMs, redirectsMax, accept: pageTypes }
  const { bytes, contentType, charset } = await ports.fetch(request, signal).catch((error: unknown) => {
    throw error instanceof FetchRefused ? new Error(`it cannot be fetched (${error.reason})`, { cause: error }) : error
  })
  return readDocument(ports, { bytes, name: lastPartOf(address), mediaType: contentType, charset }, signal)
}

async function readDocument(
  { reader, pages }: IndexingPorts,
  { charset, ...document }: FoundDocument,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const { bytes, name, mediaType } = document
  if (mediaType === null ? htmlName.test(name) : htmlType.test(mediaType)) {
    const page = await pages.convert({ bytes, charset, accountId: operator }, signal)
    if (page !== null) return page
  }
  const inUtf8 = charset === null ? bytes : Buffer.from(decoderFor(charset).decode(bytes))
  const reading = await reader.read({ ...document, bytes: inUtf8, accountId: operator }, signal)
  if (reading.kind === 'text') return { title: null, text: reading.text }
  throw new Error(reading.kind === 'image' ? 'it is a picture' : reading.detail)
}

function decoderFor(charset: string) {
  try {
    return new TextDecoder(charset)
  } catch {
    // An encoding that nobody knows: the usual one shows at least the letters of ASCII.
    return new TextDecoder()
  }
}

function addressOf({ name }: FoundFile, base: string | null): string {
  const path = name.split('/').map(encodeURIComponent).join('/')
  // The named folder is the place that the base stands for.
  return base === null ? `index:${decodeURI(path)}` : new URL(path.replace(/^[^/]+\//, ''), base).href
}

function lastPartOf(address: string): string {
  const part =
    address
      .replace(/[?#].*$/, '')
      .replace(/\/+$/, '')
      .split('/')
      .at(-1) ?? address
  return part.replace(/^index:/, '')
}
