import { GatewayError } from '../../core/gateway-error.ts'
import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJsonBytes } from '../../lib/json.ts'
import type { JsonMember } from '../../lib/json-scan.ts'
import { findDuplicateKey, jsonMembersMax, scanObject } from '../../lib/json-scan.ts'
import { parseJsonSteps } from '../../lib/json-steps.ts'
import { inTurns } from '../../lib/turns.ts'

/** Deeper nesting than any tool schema needs; bounds every later walk over the body (reliability.md §6.6). */
const depthMax = 64

/** Up to here the parser of the language reads a body at once: in a few milliseconds, and as fast as can be. */
const readAtOnceBytesMax = 1_048_576

export interface ReadBody {
  readonly bytes: Buffer
  readonly object: JsonObject
  readonly members: readonly JsonMember[]
}

/** Reads a body as readBody does: a small one at once, a large one in several turns of the event loop. */
export function openBody(bytes: Buffer): ReadBody | Promise<ReadBody> {
  return bytes.length <= readAtOnceBytesMax ? readBody(bytes) : readLargeBody(bytes)
}

/**
 * Checks a request body as a whole and finds the spans of its top-level members, so that it can be forwarded byte for byte.
 * @throws GatewayError invalid_json, duplicate_key
 */
export function readBody(bytes: Buffer): ReadBody {
  const object = objectOf(orRefused(() => parseJsonBytes(bytes)))
  return withoutDuplicates({ bytes, object, members: scan(bytes) })
}

/** What readBody gives or throws, without holding up anything else meanwhile. */
async function readLargeBody(bytes: Buffer): Promise<ReadBody> {
  const { value, members } = await inTurns(parseJsonSteps(bytes)).catch(refuse)
  const object = objectOf(value)
  if (members.length > jsonMembersMax) throw tooManyMembers()
  return withoutDuplicates({ bytes, object, members })
}

function orRefused<Result>(parse: () => Result): Result {
  try {
    return parse()
  } catch (error) {
    return refuse(error)
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof JsonError)) throw error
  throw new GatewayError('invalid_json', `The body is not valid JSON: ${error.message}.`)
}

function objectOf(value: JsonValue): JsonObject {
  if (isJsonObject(value)) return value
  throw new GatewayError('invalid_json', 'The body must be a JSON object.')
}

function scan(bytes: Buffer): readonly JsonMember[] {
  try {
    return scanObject(bytes, 0, { depthMax }).members
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    if (error.reason === 'too many members') throw tooManyMembers()
    throw new GatewayError('invalid_json', `The body is nested deeper than ${depthMax} levels.`)
  }
}

function tooManyMembers(): GatewayError {
  return new GatewayError('invalid_json', `The body has more than ${jsonMembersMax} top-level members.`)
}

function withoutDuplicates(body: ReadBody): ReadBody {
  const duplicate = findDuplicateKey(body.members)
  if (duplicate !== null) throw duplicateKey(duplicate)
  return body
}

/** Gateway and engine must not read two different bodies (venym.md §2.4). */
export function duplicateKey(path: string): GatewayError {
  return new GatewayError('duplicate_key', `The body names \`${path}\` more than once.`, { param: path })
}
