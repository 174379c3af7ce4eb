import type { IncomingHttpHeaders } from 'node:http'
import { createFault } from '../../domain/engines/create-fault.ts'
import { parseRetryAfter } from '../../lib/retry-after.ts'

/** More header fields than any engine sends (reliability.md §6.6). Their size is bounded by the parser. */
const headersMax = 100

/** All that may ever be known of an engine's headers; the rest ends here, cookies and server names included. */
export interface AnswerHead {
  readonly status: number
  /** Media type without parameters, lower case; empty when the engine sent none. */
  readonly contentType: string
  readonly retryAfterMs: number | null
}

export interface ReceivedHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly headerCount: number
  /** Wall time, for a `Retry-After` that is a date. */
  readonly nowMs: number
}

/** @throws EngineFault bad_answer for too many headers, and for a body in a coding that nobody asked for. */
export function readAnswerHead({ status, headers, headerCount, nowMs }: ReceivedHead): AnswerHead {
  if (headerCount > headersMax) throw createFault('bad_answer', { message: 'the node sent too many headers' })
  if (isEncoded(headers['content-encoding']))
    throw createFault('bad_answer', { message: 'the node sent an encoded body' })
  const retryAfter = first(headers['retry-after'])
  return {
    status,
    contentType: mediaType(first(headers['content-type'])),
    retryAfterMs: retryAfter === '' ? null : parseRetryAfter(retryAfter, nowMs),
  }
}

function isEncoded(codings: string | string[] | undefined): boolean {
  const all = String(codings ?? '')
    .trim()
    .toLowerCase()
  return all !== '' && all !== 'identity'
}

function mediaType(header: string): string {
  const end = header.indexOf(';')
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase()
}

/** Of a header that came more than once, what was said first. */
function first(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? ''
}
