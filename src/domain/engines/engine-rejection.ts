import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../lib/json.ts'
import { redactMessage, renameModel } from './redact-message.ts'

/** An engine's 4xx, made fit for the caller (venym.md §4, §8). */
export interface EngineRejection {
  readonly status: number
  readonly message: string
  /** The engine's own code when it is text. */
  readonly code: string | null
  readonly param: string | null
}

export interface RejectedCall {
  readonly status: number
  /** What came of the body; it may be cut. */
  readonly body: Buffer
  /** The engine's own name of the model, and what the caller calls it. */
  readonly engineModel: string
  readonly publicModel: string
}

const messageCharactersMax = 2_000
const fieldCharactersMax = 200

/** Read before anything is cut out of it, so that cleaning a long body takes no time to speak of. */
const readCharactersMax = 8_000

/** What is left of a character that was cut in two. */
const halfCharacter = /[\uD800-\uDBFF]$/

/** Where engines put their words, in the order in which they are believed. */
const messageKeys = ['message', 'error', 'detail', 'msg', 'errors'] as const
const messageDepthMax = 4

/** Reads the engine's words in any of the shapes that engines use: error objects, `detail` lists, plain text, HTML. */
export function readRejection({ status, body, engineModel, publicModel }: RejectedCall): EngineRejection {
  const text = body.toString('utf8')
  const json = parseOrNull(text)
  const error = json !== null && isJsonObject(json['error']) ? json['error'] : json
  const words = error === null ? stripTags(text.slice(0, readCharactersMax)) : findMessage(error)
  const clean = (value: string, charactersMax: number): string => {
    const renamed = renameModel(value.slice(0, readCharactersMax), engineModel, publicModel)
    return redactMessage(renamed).trim().slice(0, charactersMax).replace(halfCharacter, '')
  }
  const field = (value: JsonValue | undefined): string | null =>
    typeof value === 'string' && value !== '' ? clean(value, fieldCharactersMax) : null
  return {
    status,
    message: clean(words, messageCharactersMax) || `The engine refused the request with status ${status}.`,
    code: field(error?.['code']),
    param: field(error?.['param']),
  }
}

/** Null for what is no JSON object: then the bytes are read as text. */
function parseOrNull(text: string): JsonObject | null {
  try {
    const value = parseJson(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

function findMessage(value: JsonValue | undefined, depth = 1): string {
  if (typeof value === 'string') return value
  if (depth > messageDepthMax) return ''
  if (Array.isArray(value))
    return value
      .slice(0, 20)
      .map(item => findMessage(item, depth + 1))
      .filter(Boolean)
      .join('; ')
  if (!isJsonObject(value)) return ''
  const words = messageKeys.map(key => findMessage(value[key], depth + 1)).find(Boolean) ?? ''
  const place = Array.isArray(value['loc']) ? value['loc'].filter(part => part !== 'body').join('.') : ''
  return place === '' || words === '' ? words : `${place}: ${words}`
}

function stripTags(text: string): string {
  return text.replace(/<[a-z!/][^<>]*>/gi, ' ').replace(/\s+/g, ' ')
}
