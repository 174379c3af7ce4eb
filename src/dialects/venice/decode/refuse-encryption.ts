import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../../../core/gateway-error.ts'

/** All that name keys and algorithms of an encrypted request, and whatever is meant to (venice.md §10.3). */
const encryptionHeader = /^x-venice-tee-/

/**
 * Refuses a request that is meant to be end-to-end encrypted, since no model is served so: to read past the headers would
 * serve in plain what its caller believes to be sealed (venice.md §19). Files in it change nothing.
 * @throws GatewayError encryption_unavailable
 */
export function refuseEncryption(headers: IncomingHttpHeaders): void {
  const name = Object.keys(headers).find(header => encryptionHeader.test(header))
  if (name === undefined) return
  throw new GatewayError(
    'encryption_unavailable',
    `Invalid E2EE headers: no model here takes end-to-end encrypted requests, as \`${name}\` asks for. Nothing was sent to a model. Leave the header out only where the gateway may read the messages.`,
    { param: name },
  )
}
