import type { AccountId } from './ids.ts'

/** A file as a caller sent it. Nothing about it is believed but its bytes; name and type only break ties. */
interface SuppliedDocument {
  readonly bytes: Uint8Array
  readonly name: string | null
  /** What the caller declared, such as `application/pdf`. */
  readonly mediaType: string | null
  /** Whose turn it is: the documents of one account wait behind each other, not before those of others. */
  readonly accountId: AccountId
}

export interface DocumentText {
  readonly kind: 'text'
  /** Markdown: headings, tables, and a mark for each page, slide or sheet. */
  readonly text: string
  /** What the bytes are. */
  readonly mediaType: string
  /** Pages, slides, sheets or chapters; null where the format has none. */
  readonly pages: number | null
  /** True when there was more than a reading gives; the text ends with a line that says so. */
  readonly truncated: boolean
}

/** The bytes are a picture, which is for models that see, and not text. */
export interface DocumentImage {
  readonly kind: 'image'
  readonly mediaType: string
}

export type DocumentFailureReason =
  | 'encrypted'
  | 'no_text'
  | 'too_large'
  | 'timeout'
  | 'unreadable'
  | 'broken_off'
  | 'unsupported'
  | 'busy'
  | 'disabled'

export interface DocumentFailure {
  readonly kind: 'failure'
  readonly reason: DocumentFailureReason
  /** A sentence for the caller: what is wrong with the file and what would mend it. Holds nothing of the file. */
  readonly detail: string
}

export type DocumentReading = DocumentText | DocumentImage | DocumentFailure

/** Port: what a file says (venice.md §1.3, §3). */
export interface DocumentReader {
  /**
   * Never rejects for a file, however bad it is; a file that cannot be read is a failure.
   * @throws AbortError when the signal aborts
   */
  read(document: SuppliedDocument, signal: AbortSignal): Promise<DocumentReading>
}

const failureDetails: Readonly<Record<DocumentFailureReason, string>> = {
  encrypted: 'it is protected with a password; remove the protection and send it again',
  no_text: 'its pages hold no text, only images; send the pages as images, or a file with a text layer',
  too_large: 'reading it takes more memory or entries than one file may have; send a smaller part of it',
  timeout: 'reading it took too long; send a smaller part of it',
  unreadable: 'it is damaged or incomplete',
  broken_off: 'reading it broke off; send it again, and where that breaks off too, it is damaged',
  unsupported: 'this kind of file cannot be read; send PDF, DOCX, PPTX, XLSX, XLS, EPUB, text or an image',
  busy: 'too many files are being read now; try again shortly',
  disabled: 'this gateway reads no files',
}

export function documentFailure(reason: DocumentFailureReason): DocumentFailure {
  return { kind: 'failure', reason, detail: failureDetails[reason] }
}
