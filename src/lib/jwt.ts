import { createHmac } from 'node:crypto'
import { equalsConstantTime } from './constant-time.ts'
import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJson } from './json.ts'

/** Tokens of our own are shorter by far. */
const tokenCharactersMax = 2_000
const part = /^[A-Za-z0-9_-]+$/
const ownHeader = encodePart({ alg: 'HS256', typ: 'JWT' })

/** Claims as a JSON Web Token (RFC 7519), signed with HMAC-SHA-256. */
export function signJwt(claims: JsonObject, key: Buffer): string {
  const content = `${ownHeader}.${encodePart(claims)}`
  return `${content}.${signatureOf(content, key)}`
}

/**
 * The claims of a token that was signed with this key; what they say is left to the caller. Only the one algorithm is
 * known: a token that names another, or none, is not signed.
 */
export function verifyJwt(token: string, key: Buffer): JsonObject | 'malformed' | 'unsigned' {
  if (token.length > tokenCharactersMax) return 'malformed'
  const [header = '', payload = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || ![header, payload, signature].every(text => part.test(text))) return 'malformed'
  const head = decodePart(header)
  const claims = decodePart(payload)
  if (head === null || claims === null) return 'malformed'
  const isSigned = head['alg'] === 'HS256' && equalsConstantTime(signature, signatureOf(`${header}.${payload}`, key))
  return isSigned ? claims : 'unsigned'
}

function encodePart(value: JsonValue): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decodePart(text: string): JsonObject | null {
  try {
    const value = parseJson(Buffer.from(text, 'base64url').toString())
    return isJsonObject(value) ? value : null
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}

function signatureOf(content: string, key: Buffer): string {
  return createHmac('sha256', key).update(content).digest('base64url')
}
