import { PDFiumModule } from '@hyzyla/pdfium'
import { ReadingFailure } from '../../reading.ts'
import { type AnnotationFunctions, openForm, type PageNotes, readNotes } from './page-notes.ts'

/** A character and where it stands. In points; y grows upwards. */
export interface PageCharacter {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** One line as PDFium puts it together, in the order in which its characters are read. */
export type PageLine = readonly PageCharacter[]

export interface PdfPage extends PageNotes {
  /** In the order in which they were drawn. */
  readonly lines: readonly PageLine[]
}

export interface PdfDocument {
  readonly pageCount: number
  /** A page, counted from 0. One that is damaged holds nothing. */
  readPage(index: number): PdfPage
}

/** The functions of PDFium that are used here: https://pdfium.googlesource.com/pdfium/+/refs/heads/main/public/fpdf_text.h */
interface Pdfium extends AnnotationFunctions {
  _FPDF_InitLibraryWithConfig(config: number): void
  _FPDF_LoadMemDocument(address: number, bytes: number, password: number): number
  _FPDF_GetLastError(): number
  _FPDF_GetPageCount(document: number): number
  _FPDF_LoadPage(document: number, index: number): number
  _FPDF_ClosePage(page: number): void
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(textPage: number): void
  _FPDFText_CountChars(textPage: number): number
  _FPDFText_GetUnicode(textPage: number, at: number): number
  _FPDFText_GetLooseCharBox(textPage: number, at: number, rectangle: number): number
}

const lastError = { password: 4, security: 5 }
const rectangleBytes = 16
/** More than a reading gives. */
const pageCharactersMax = 2_200_000
const lineEnds = new Set([0x0a, 0x0d])
/** What PDFium gives where a word is divided at the end of a line. */
const hyphens = new Set([0x02, 0xfffe])

/** @throws ReadingFailure encrypted, unreadable */
export async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  const pdfium = (await PDFiumModule({} as Parameters<typeof PDFiumModule>[0])) as unknown as Pdfium
  pdfium._FPDF_InitLibraryWithConfig(0)
  const address = pdfium.wasmExports.malloc(bytes.length)
  if (address === 0) throw new ReadingFailure('too_large')
  pdfium.HEAPU8.set(bytes, address)
  const document = pdfium._FPDF_LoadMemDocument(address, bytes.length, 0)
  if (document === 0) throw new ReadingFailure(reasonOf(pdfium._FPDF_GetLastError()))
  const form = openForm(pdfium, document)
  return {
    pageCount: pdfium._FPDF_GetPageCount(document),
    readPage: index => readPage(pdfium, { document, form, index }),
  }
}

function reasonOf(code: number): 'encrypted' | 'unreadable' {
  return code === lastError.password || code === lastError.security ? 'encrypted' : 'unreadable'
}

interface PageAddress {
  readonly document: number
  readonly form: number
  readonly index: number
}

function readPage(pdfium: Pdfium, { document, form, index }: PageAddress): PdfPage {
  const page = pdfium._FPDF_LoadPage(document, index)
  if (page === 0) return { lines: [], fields: [], comments: [] }
  const textPage = pdfium._FPDFText_LoadPage(page)
  try {
    const lines = textPage === 0 ? [] : collectLines(pdfium, textPage)
    return { lines, ...readNotes(pdfium, page, form) }
  } finally {
    pdfium._FPDFText_ClosePage(textPage)
    pdfium._FPDF_ClosePage(page)
  }
}

function collectLines(pdfium: Pdfium, textPage: number): readonly PageLine[] {
  const lines: PageCharacter[][] = []
  const rectangle = pdfium.wasmExports.malloc(rectangleBytes)
  const count = Math.min(pdfium._FPDFText_CountChars(textPage), pageCharactersMax)
  let line: PageCharacter[] = []
  for (let at = 0; at < count; at += 1) {
    const code = pdfium._FPDFText_GetUnicode(textPage, at)
    if (lineEnds.has(code)) {
      if (line.length > 0) lines.push(line)
      line = []
    } else if (code !== 0) {
      pdfium._FPDFText_GetLooseCharBox(textPage, at, rectangle)
      line.push({ text: hyphens.has(code) ? softHyphen : String.fromCodePoint(code), ...readBox(pdfium, rectangle) })
    }
  }
  if (line.length > 0) lines.push(line)
  pdfium.wasmExports.free(rectangle)
  return lines
}

export const softHyphen = '\u00ad'

/** FS_RECTF: left, top, right, bottom. */
function readBox({ HEAPU8 }: Pdfium, address: number): Omit<PageCharacter, 'text'> {
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(HEAPU8.buffer, address, 4)
  return { left, right, bottom, top }
}
