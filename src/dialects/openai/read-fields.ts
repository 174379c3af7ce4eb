import { GatewayError } from '../../core/gateway-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'

/** Numeric and boolean fields that the gateway itself reads. `null` counts as absent (venym.md §8). */

/** @throws GatewayError invalid_value when the field is there and not a boolean. */
export function readBoolean(object: JsonObject, key: string, path: string = key): boolean | null {
  const value = object[key]
  if (value === undefined || value === null) return null
  if (typeof value !== 'boolean') throw invalid(path, 'must be true or false')
  return value
}

/** @throws GatewayError invalid_value when the field is there and not an integer from 1 to 2^53 − 1. */
export function readPositiveInteger(object: JsonObject, key: string, path: string = key): number | null {
  const value = object[key]
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1) {
    throw invalid(path, 'must be a whole number from 1 to 9007199254740991')
  }
  return value
}

/** @throws GatewayError invalid_value when the field is there and not a string. */
export function readString(object: JsonObject, key: string, path: string = key): string | null {
  const value = object[key]
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw invalid(path, 'must be a string')
  return value
}

/** @throws GatewayError invalid_messages unless it is a non-empty array of `{role, content}` objects. */
export function readMessages(object: JsonObject): readonly JsonObject[] {
  const messages = object['messages']
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new GatewayError('invalid_messages', '`messages` must be a non-empty array of {role, content} objects.', {
      param: 'messages',
    })
  }
  return messages.map((message, index) => readMessage(message, index))
}

function readMessage(message: JsonValue, index: number): JsonObject {
  const path = `messages.${index}`
  if (!isJsonObject(message)) throw badMessage(path, 'must be an object with `role` and `content`')
  const role = message['role']
  if (typeof role !== 'string' || role === '') throw badMessage(`${path}.role`, 'must be a non-empty string')
  const content = message['content']
  if (content === undefined && !hasOtherContent(message)) throw badMessage(`${path}.content`, 'is missing')
  if (content !== undefined && content !== null && typeof content !== 'string' && !Array.isArray(content)) {
    throw badMessage(`${path}.content`, 'must be a string or an array of parts')
  }
  return message
}

/** A turn of an assistant that only calls tools, or only refuses, has no content of its own. */
function hasOtherContent(message: JsonObject): boolean {
  return (
    message['role'] === 'assistant' &&
    (Array.isArray(message['tool_calls']) ||
      isJsonObject(message['function_call']) ||
      typeof message['refusal'] === 'string')
  )
}

function badMessage(path: string, problem: string): GatewayError {
  return new GatewayError('invalid_messages', `\`${path}\` ${problem}.`, { param: path })
}

export function invalid(path: string, problem: string): GatewayError {
  return new GatewayError('invalid_value', `\`${path}\` ${problem}.`, { param: path })
}
