import { errors } from 'undici'
import { describe, expect, it } from 'vitest'
import { createFault } from '../../domain/engines/create-fault.ts'
import { toEngineFault } from './to-engine-fault.ts'

function coded(code: string): Error {
  return Object.assign(new Error(`connect ${code} 10.0.0.7:8000`), { code })
}

describe('toEngineFault', () => {
  it.each([
    ['ECONNREFUSED', 'connect_refused'],
    ['EHOSTUNREACH', 'connect_refused'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect_timeout'],
    ['ETIMEDOUT', 'connect_timeout'],
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['EPROTO', 'tls'],
    ['UND_ERR_HEADERS_TIMEOUT', 'first_byte_timeout'],
    ['UND_ERR_BODY_TIMEOUT', 'idle_timeout'],
    ['UND_ERR_HEADERS_OVERFLOW', 'bad_answer'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'bad_answer'],
    ['SOMETHING_NEW', 'reset'],
  ])('reads %s as %s, without the address', (code, kind) => {
    const fault = toEngineFault(coded(code))
    expect(fault.kind).toBe(kind)
    expect(fault.message).not.toContain('10.0.0.7')
  })

  it('reads what the parser refuses as a bad answer, and keeps nothing of what it quotes', () => {
    const fault = toEngineFault(Object.assign(new errors.HTTPParserError('bad constant'), { data: 'a prompt' }))
    expect(fault.kind).toBe('bad_answer')
    expect(JSON.stringify([fault, fault.cause, fault.message])).not.toContain('a prompt')
  })

  it('reads an answer that ends inside a chunk as a lost connection', () => {
    const message = 'Response does not match the HTTP/1.1 protocol (Invalid EOF state)'
    expect(toEngineFault(new errors.HTTPParserError(message)).kind).toBe('reset')
  })

  it('calls only a lost connection stale', () => {
    expect(toEngineFault(coded('ECONNRESET'), { staleConnection: true }).staleConnection).toBe(true)
    expect(toEngineFault(coded('ECONNRESET')).staleConnection).toBe(false)
    expect(toEngineFault(coded('UND_ERR_HEADERS_TIMEOUT'), { staleConnection: true }).staleConnection).toBe(false)
  })

  it('leaves a fault as it is', () => {
    const fault = createFault('queue_full')
    expect(toEngineFault(fault)).toBe(fault)
  })
})
