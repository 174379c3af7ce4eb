import type { DocumentFailure, DocumentReader, DocumentReading, DocumentText } from '../core/document-reader.ts'
import { GatewayError } from '../core/gateway-error.ts'
import type { Order, SaleDependencies, Sold, Ware } from './sale.ts'
import { sellPiece } from './sell-piece.ts'

/** More than waiting for a turn and reading take, at their bounds. */
const totalMs = 120_000
const busyRetrySeconds = 5

interface ParseOrder extends Omit<Order, 'ware' | 'totalMs'> {
  readonly file: { readonly bytes: Uint8Array; readonly name: string | null; readonly mediaType: string | null }
}

/** Reads callers' files for money. */
export interface DocumentParser {
  /** @throws GatewayError; then nothing was charged */
  parse(order: ParseOrder): Promise<Sold<DocumentText>>
}

interface ParserDependencies extends SaleDependencies {
  readonly documents: DocumentReader
  /** What one file costs; read once per file. */
  readonly ware: () => Ware
}

/** The text of a file, paid by the piece: admission, the reader, settlement (venice.md §3). */
export function createDocumentParser(dependencies: ParserDependencies): DocumentParser {
  const { documents, ware } = dependencies
  return {
    parse: ({ file, ...order }) =>
      sellPiece(dependencies, { ...order, ware: ware(), totalMs }, async () =>
        textOf(await documents.read({ ...file, accountId: order.principal.accountId }, order.signal)),
      ),
  }
}

function textOf(reading: DocumentReading): DocumentText {
  if (reading.kind === 'text') return reading
  if (reading.kind === 'failure') throw failed(reading)
  throw unprocessable('it is an image, which models see and nobody reads; send it to a model with vision')
}

function failed({ reason, detail }: DocumentFailure): GatewayError {
  if (reason === 'disabled') return new GatewayError('not_configured', 'This gateway reads no files.')
  if (reason !== 'busy') return unprocessable(detail)
  const message = 'Too many files are being read now. Try again shortly.'
  return new GatewayError('concurrency_exceeded', message, { retryAfterSeconds: busyRetrySeconds })
}

function unprocessable(detail: string): GatewayError {
  return new GatewayError('invalid_value', `The file could not be processed: ${detail}.`, { param: 'file' })
}
