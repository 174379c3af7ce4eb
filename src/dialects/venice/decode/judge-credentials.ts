import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../../../core/gateway-error.ts'

const walletHeaders = ['sign-in-with-x', 'x-sign-in-with-x']
const paymentHeaders = ['payment-signature', 'x-402-payment', 'x-payment']

/**
 * Tells a caller without any credential apart from one whose credential does not count (venice.md §0, §19).
 * @throws GatewayError missing_credentials, invalid_api_key for a wallet where none is taken, bad_request for a payment
 */
export function judgeCredentials(headers: IncomingHttpHeaders): void {
  refusePayment(headers)
  if (headers.authorization !== undefined) return
  if (walletHeaders.some(name => headers[name] !== undefined))
    throw new GatewayError('invalid_api_key', 'This gateway takes no wallets. Send `Authorization: Bearer <key>`.', {
      facts: { code: 'X402_NOT_CONFIGURED' },
    })
  throw new GatewayError('missing_credentials', 'Send an API key as `Authorization: Bearer <key>`.')
}

/**
 * A payment is not taken here, and a caller who sent one is told so before anything else: its client would pay once more
 * for a 402 (venice.md §4.2, §19).
 * @throws GatewayError bad_request
 */
export function refusePayment(headers: IncomingHttpHeaders): void {
  const name = paymentHeaders.find(header => headers[header] !== undefined)
  if (name === undefined) return
  const message = `This address takes no payment: send the request without \`${name}\`, and an API key as \`Authorization: Bearer <key>\`.`
  throw new GatewayError('bad_request', message, { param: name, facts: { code: 'PAYMENT_HEADER_NOT_ACCEPTED' } })
}
