import type { GatewayClient } from '../../core/gateway-client.ts'
import { decodeAnswerPiece, decodeModelIds } from '../../dialects/venym/decode-answer.ts'
import { isJsonObject, type JsonValue } from '../../lib/json.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import { Secret } from '../../lib/secret.ts'
import { CommandError, UsageError } from '../command-error.ts'

export const gatewayUrlDefault = 'http://127.0.0.1:8402'

const listMs = 10_000
const keyPattern = /^[\x21-\x7e]{1,256}$/

/** The address without a trailing slash, and without the path that every call begins with. @throws UsageError */
export function parseGatewayUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === null || !isHttp || url.username !== '' || url.search !== '') {
    throw new UsageError('--url must be the address of a gateway, such as http://127.0.0.1:8402.')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '')
}

/** @throws UsageError */
export function parseApiKey(text: string): Secret {
  if (!keyPattern.test(text)) throw new UsageError('An API key is one word of letters, digits and signs.')
  return new Secret(text)
}

/** The ids of the gateway's models. @throws CommandError, GatewayUnreachable */
export async function listModels(client: GatewayClient): Promise<readonly string[]> {
  const { status, body } = await client.get('/v1/models', lastingTimeout(listMs))
  if (status !== 200) throw new CommandError(`The gateway does not list its models: ${reasonOf(status, body)}`)
  const models = decodeModelIds(body)
  if (models.length === 0) throw new CommandError('The gateway has no models.')
  return models
}

function reasonOf(status: number, body: JsonValue): string {
  return (isJsonObject(body) ? decodeAnswerPiece(body).error : null) ?? `it answered ${status}.`
}
