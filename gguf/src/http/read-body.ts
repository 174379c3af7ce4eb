import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { WireError } from '../wire-error.ts'

/** Far more text than any context holds, and little enough to count its tokens without a stall. */
export const bodyBytesMax = 4 * 1_024 * 1_024

/** Reads a JSON body. @throws WireError 400, 413 or 415. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw new WireError({ status: 415, code: 'unsupported_content_type', message: 'Send application/json.' })
  }
  if (Number(request.headers['content-length'] ?? 0) > bodyBytesMax) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  // A destroyed request would take the socket with it, and the refusal would never arrive.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  return parseBody(Buffer.concat(chunks))
}

function parseBody(bytes: Buffer): unknown {
  try {
    if (isUtf8(bytes)) return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    // Told below; the parser's own words quote the body.
  }
  throw new WireError({ status: 400, code: 'invalid_json', message: 'The body is not valid JSON in UTF-8.' })
}

function tooLarge(): WireError {
  const message = `The body is larger than ${bodyBytesMax} bytes.`
  return new WireError({ status: 413, code: 'body_too_large', message })
}
