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
  // The connection ended inside a chunk: the node went away, it did not misspell its answer.
  ['HPE_INVALID_EOF_STATE', 'reset'],
])

const kindByPrefix: readonly (readonly [RegExp, FaultKind])[] = [
  [/^HPE_/, 'bad_answer'],
  [/^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|PATH_LENGTH_)/, 'tls'],
]

/** The fault behind an error of undici or of a socket. What nobody knows is a lost connection. */
export function toEngineFault(error: unknown, options: { readonly staleConnection?: boolean } = {}): EngineFault {
  if (error instanceof EngineFault) return error
  const code = codeOf(error)
  const kind = kindByCode.get(code) ?? kindByPrefix.find(([prefix]) => prefix.test(code))?.[1] ?? 'reset'
  return createFault(kind, { staleConnection: kind === 'reset' && options.staleConnection === true, cause: error })
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
