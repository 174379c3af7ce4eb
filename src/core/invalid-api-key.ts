import { GatewayError } from './gateway-error.ts'

/**
 * The one answer to every credential that does not count: missing, malformed, unknown, revoked or expired. One text for
 * all of them, so that nobody learns which keys exist (venym.md §5).
 */
export function invalidApiKey(): GatewayError {
  return new GatewayError(
    'invalid_api_key',
    'The API key is missing, unknown, revoked or expired. Send a valid key as `Authorization: Bearer <key>`.',
  )
}
