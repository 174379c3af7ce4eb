import type { DocumentFailureReason, DocumentImage, DocumentText } from '../../../core/document-reader.ts'

/** What a format's reader found. */
export type Extracted = Pick<DocumentText, 'text' | 'pages'>

/** A reading as it leaves the child; how a failure is worded is not the child's to say. */
export type ChildReading =
  | DocumentText
  | DocumentImage
  | { readonly kind: 'failure'; readonly reason: DocumentFailureReason }

/** A file that cannot be read, as its reader found out. Any other error of a reader counts as `unreadable`. */
export class ReadingFailure extends Error {
  override readonly name = 'ReadingFailure'
  readonly reason: DocumentFailureReason

  constructor(reason: DocumentFailureReason) {
    super(reason)
    this.reason = reason
  }
}
