import { GatewayError } from '../../core/gateway-error.ts'
import { isJsonObject, JsonError, type JsonObject, parseJsonBytes } from '../../lib/json.ts'
import type { JsonMember } from '../../lib/json-scan.ts'
import { findDuplicateKey, jsonMembersMax, scanObject } from '../../lib/json-scan.ts'

/** Deeper nesting than any tool schema needs; bounds every later walk over the body (reliability.md §6.6). */
const depthMax = 64

export interface ReadBody {
  readonly object: JsonObject
  readonly members: readonly JsonMember[]
}

/**
 * Checks a request body as a whole and finds the spans of its top-level members, so that it can be forwarded byte for byte.
 * @throws GatewayError invalid_json, duplicate_key
 */
export function readBody(bytes: Buffer): ReadBody {
  const object = parseObject(bytes)
  const { members } = scan(bytes)
  const duplicate = findDuplicateKey(members)
  if (duplicate !== null) throw duplicateKey(duplicate)
  return { object, members }
}

function parseObject(bytes: Buffer): JsonObject {
  try {
    const value = parseJsonBytes(bytes)
    if (isJsonObject(value)) return value
  } catch (error) {
    if (error instanceof JsonError)
      throw new GatewayError('invalid_json', `The body is not valid JSON: ${error.message}.`)
    throw error
  }
  throw new GatewayError('invalid_json', 'The body must be a JSON object.')
}

function scan(bytes: Buffer): ReturnType<typeof scanObject> {
  try {
    return scanObject(bytes, 0, { depthMax })
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const message =
      error.reason === 'too many members'
        ? `The body has more than ${jsonMembersMax} top-level members.`
        : `The body is nested deeper than ${depthMax} levels.`
    throw new GatewayError('invalid_json', message)
  }
}

/** Gateway and engine must not read two different bodies (venym.md §2.4). */
export function duplicateKey(path: string): GatewayError {
  return new GatewayError('duplicate_key', `The body names \`${path}\` more than once.`, { param: path })
}
