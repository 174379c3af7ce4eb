import { errors } from 'undici'
import { createFault } from '../../domain/engines/create-fault.ts'
import { EngineFault, type FaultKind } from '../../domain/engines/types.ts'

/** What the codes of undici, of its parser and of Node's sockets mean for the node that caused them. */
const kindByCode: ReadonlyMap<string, FaultKind> = new Map([
  ['ECONNREFUSED', 'connect_refused'],
  ['EHOSTUNREACH', 'connect_refused'],
  ['ENETUNREACH', 'connect_refused'],
  ['ENETDOWN', 'connect_refused'],
  ['EADDRNOTAVAIL', 'connect_refused'],
  ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['EAI_FAIL', 'dns'],
  ['EAI_NODATA', 'dns'],
  ['EPROTO', 'tls'],
  ['INVALID_CA', 'tls'],
  ['INVALID_PURPOSE', 'tls'],
  ['UND_ERR_HEADERS_TIMEOUT', 'first_byte_timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'idle_timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'bad_answer'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'bad_answer'],
])

const certificateCodes =
  /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|PATH_LENGTH_)/

/** The fault behind an error of undici or of a socket. What nobody knows is a lost connection. */
export function toEngineFault(error: unknown, options: { readonly staleConnection?: boolean } = {}): EngineFault {
  if (error instanceof EngineFault) return error
  // Errors of the parser quote the answer, which must not travel into a log.
  if (error instanceof errors.HTTPParserError)
    return createFault(endedEarly.test(error.message) ? 'reset' : 'bad_answer')
  const code = codeOf(error)
  const kind = kindByCode.get(code) ?? (certificateCodes.test(code) ? 'tls' : 'reset')
  return createFault(kind, { staleConnection: kind === 'reset' && options.staleConnection === true, cause: error })
}

/** The connection ended inside a chunk: the node went away, it did not misspell its answer. */
const endedEarly = /EOF/

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
