import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../core/gateway-error.ts'

/**
 * Whether a body is JSON in UTF-8 as it is, by what its head says: one rule for every route that takes JSON.
 * @throws GatewayError unsupported_content_type
 */
export function judgeJsonHead(headers: IncomingHttpHeaders): void {
  const { 'content-type': contentType = '', 'content-encoding': coding = 'identity' } = headers
  if (!isJsonType(contentType)) {
    throw new GatewayError('unsupported_content_type', 'Send the body as `Content-Type: application/json`.', {
      param: 'Content-Type',
      facts: { isCharset: jsonInACharset.test(contentType) },
    })
  }
  if (coding.toLowerCase() !== 'identity') {
    throw new GatewayError('unsupported_content_type', 'Send the body without a Content-Encoding.', {
      param: 'Content-Encoding',
    })
  }
}

/** JSON whose letters are said to be written in some way; where it is one that we do not read, the type itself is right. */
const jsonInACharset = /^application\/json[\t ]*;[\t ]*charset[\t ]*=/i

/** `application/json`, with UTF-8 as the only charset; a list of types or a look-alike is not JSON. */
function isJsonType(contentType: string): boolean {
  return /^application\/json[\t ]*(;[\t ]*charset[\t ]*=[\t ]*"?utf-?8"?[\t ]*)?$/i.test(contentType)
}
