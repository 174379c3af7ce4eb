/** The functions of PDFium for what lies on a page: https://pdfium.googlesource.com/pdfium/+/refs/heads/main/public/fpdf_annot.h */
export interface AnnotationFunctions {
  readonly HEAPU8: Uint8Array
  readonly wasmExports: { malloc(bytes: number): number; free(address: number): void }
  _FPDF_GetFormType(document: number): number
  _FPDFDOC_InitFormFillEnvironment(document: number, info: number): number
  _FPDFPage_GetAnnotCount(page: number): number
  _FPDFPage_GetAnnot(page: number, index: number): number
  _FPDFPage_CloseAnnot(annotation: number): void
  _FPDFAnnot_GetSubtype(annotation: number): number
  _FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, bytes: number): number
  _FPDFAnnot_GetFormFieldType(form: number, annotation: number): number
  _FPDFAnnot_GetFormFieldName(form: number, annotation: number, buffer: number, bytes: number): number
  _FPDFAnnot_GetFormFieldAlternateName(form: number, annotation: number, buffer: number, bytes: number): number
  _FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, bytes: number): number
}

/** What was filled in or written onto a page, besides what is drawn on it. */
export interface PageNotes {
  /** As lines of a list: `Name: value`, `[x] Name`. */
  readonly fields: readonly string[]
  readonly comments: readonly string[]
}

/** More than a page has room for. */
const annotationsMax = 2_000
const textBytesMax = 65_536
/** FPDF_ANNOT_*: what people write. A pop-up only repeats its note, and links have no words. */
const commentKinds = new Set([1, 3, 9, 10, 11, 12, 13])
const widget = 20
/** FPDF_FORMFIELD_*. */
const field = { checkBox: 2, radioButton: 3, comboBox: 4, listBox: 5, text: 6 }
/** FPDF_FORMFILLINFO with no function in it, and room to spare. */
const formInfoBytes = 256
const formInfoVersion = 2

/** Lets the fields of a document be asked; 0 where it has no form. No script of the document is ever run. */
export function openForm(pdfium: AnnotationFunctions, document: number): number {
  if (pdfium._FPDF_GetFormType(document) === 0) return 0
  const info = pdfium.wasmExports.malloc(formInfoBytes)
  pdfium.HEAPU8.fill(0, info, info + formInfoBytes)
  pdfium.HEAPU8[info] = formInfoVersion
  return pdfium._FPDFDOC_InitFormFillEnvironment(document, info)
}

export function readNotes(pdfium: AnnotationFunctions, page: number, form: number): PageNotes {
  const fields: string[] = []
  const comments: string[] = []
  const count = Math.min(pdfium._FPDFPage_GetAnnotCount(page), annotationsMax)
  for (let index = 0; index < count; index += 1) {
    const annotation = pdfium._FPDFPage_GetAnnot(page, index)
    if (annotation === 0) continue
    const kind = pdfium._FPDFAnnot_GetSubtype(annotation)
    const shown = kind === widget && form !== 0 ? fieldOf(pdfium, form, annotation) : null
    if (shown !== null) fields.push(shown)
    const comment = commentKinds.has(kind) ? entryOf(pdfium, annotation, 'Contents') : ''
    if (comment !== '') comments.push(comment)
    pdfium._FPDFPage_CloseAnnot(annotation)
  }
  return { fields, comments }
}

/** Null for what was not filled in; a box that was not ticked says so. */
function fieldOf(pdfium: AnnotationFunctions, form: number, annotation: number): string | null {
  const ask = (question: Question) =>
    textOf(pdfium, (buffer, bytes) => pdfium[question](form, annotation, buffer, bytes))
  const name = ask('_FPDFAnnot_GetFormFieldAlternateName') || ask('_FPDFAnnot_GetFormFieldName')
  switch (pdfium._FPDFAnnot_GetFormFieldType(form, annotation)) {
    case field.checkBox:
      return `[${stateOf(pdfium, annotation) === null ? ' ' : 'x'}] ${name}`
    case field.radioButton: {
      const state = stateOf(pdfium, annotation)
      return state === null ? null : `${name}: ${state}`
    }
    case field.text:
    case field.comboBox:
    case field.listBox: {
      const value = ask('_FPDFAnnot_GetFormFieldValue')
      return value === '' ? null : `${name}: ${value}`
    }
    default:
      return null
  }
}

type Question = '_FPDFAnnot_GetFormFieldName' | '_FPDFAnnot_GetFormFieldAlternateName' | '_FPDFAnnot_GetFormFieldValue'

/** What a box or a button is switched to, which PDF calls its appearance state; null when it is off. */
function stateOf(pdfium: AnnotationFunctions, annotation: number): string | null {
  const state = entryOf(pdfium, annotation, 'AS')
  return state === '' || state === 'Off' ? null : state
}

/** A text of the annotation's own dictionary. */
function entryOf(pdfium: AnnotationFunctions, annotation: number, name: string): string {
  const bytes = Buffer.from(`${name}\0`)
  const key = pdfium.wasmExports.malloc(bytes.length)
  pdfium.HEAPU8.set(bytes, key)
  const text = textOf(pdfium, (buffer, size) => pdfium._FPDFAnnot_GetStringValue(annotation, key, buffer, size))
  pdfium.wasmExports.free(key)
  return text
}

const utf16 = new TextDecoder('utf-16le')

/** PDFium tells how many bytes a text has, and writes it as UTF-16 with a zero behind it. On one line, and not endless. */
function textOf(pdfium: AnnotationFunctions, write: (buffer: number, bytes: number) => number): string {
  const size = write(0, 0)
  if (size <= 2) return ''
  const buffer = pdfium.wasmExports.malloc(size)
  if (buffer === 0) return ''
  write(buffer, size)
  const text = utf16.decode(pdfium.HEAPU8.slice(buffer, buffer + Math.min(size - 2, textBytesMax)))
  pdfium.wasmExports.free(buffer)
  return text.replace(/[\s\0]+/g, ' ').trim()
}
