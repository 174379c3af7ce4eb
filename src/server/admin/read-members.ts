import { GatewayError } from '../../core/gateway-error.ts'
import { isJsonObject, type JsonValue } from '../../lib/json.ts'

/**
 * The members of a body that may hold these and no other; a body that was left out holds none.
 * @throws GatewayError invalid_value, unknown_key
 */
export function readMembers<Name extends string>(
  body: unknown,
  names: readonly Name[],
): Partial<Readonly<Record<Name, JsonValue>>> {
  if (body === undefined) return {}
  if (!isJsonObject(body as JsonValue)) throw new GatewayError('invalid_value', 'The body must be a JSON object.')
  const unknown = Object.keys(body as object).find(key => !names.some(name => name === key))
  if (unknown === undefined) return body as Partial<Record<Name, JsonValue>>
  const known = names.map(name => `\`${name}\``).join(', ')
  throw new GatewayError(
    'unknown_key',
    `\`${unknown.slice(0, keyCharactersMax)}\` is not known here; known is ${known}.`,
    {
      param: unknown.slice(0, keyCharactersMax),
    },
  )
}

const keyCharactersMax = 100
