import { isJsonObject, type JsonValue, parseJson } from '../../lib/json.ts'
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
const messageItemsMax = 20

/** Parts of a page that nobody reads. */
const unseenHtml = /<(script|style|head)\b[^>]*>[\s\S]*?<\/\1\s*>/gi

/** Reads the engine's words in any of the shapes that engines use: error objects, `detail` lists, plain text, HTML, SSE. */
export function readRejection({ status, body, engineModel, publicModel }: RejectedCall): EngineRejection {
  const text = firstEvent(body.toString('utf8'))
  const json = parseOrUndefined(text)
  const error = isJsonObject(json) && isJsonObject(json['error']) ? json['error'] : json
  const words = json === undefined ? readText(text.slice(0, readCharactersMax)) : findMessage(error)
  const clean = (value: string, charactersMax: number): string => {
    const renamed = renameModel(value.slice(0, readCharactersMax), engineModel, publicModel)
    return redactMessage(renamed).trim().slice(0, charactersMax).replace(halfCharacter, '')
  }
  const field = (key: string): string | null => {
    const value = isJsonObject(error) ? error[key] : undefined
    return typeof value === 'string' && value !== '' ? clean(value, fieldCharactersMax) : null
  }
  return {
    status,
    message: clean(words, messageCharactersMax) || `The engine refused the request with status ${status}.`,
    code: field('code'),
    param: field('param'),
  }
}

/** The data of the first event where an engine explains itself as a stream. */
function firstEvent(text: string): string {
  return text.startsWith('data:') ? text.slice('data:'.length, text.indexOf('\n') + 1 || text.length) : text
}

/** Undefined for what is no JSON: then it is read as text. */
function parseOrUndefined(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function findMessage(value: JsonValue | undefined, depth = 1): string {
  if (typeof value === 'string') return value
  if (depth > messageDepthMax) return ''
  if (Array.isArray(value)) {
    const items = value.slice(0, messageItemsMax).map(item => findMessage(item, depth + 1))
    return items.filter(item => item !== '').join('; ')
  }
  if (!isJsonObject(value)) return ''
  const words = messageKeys.map(key => findMessage(value[key], depth + 1)).find(found => found !== '') ?? ''
  const place = Array.isArray(value['loc']) ? value['loc'].filter(part => part !== 'body').join('.') : ''
  return place === '' || words === '' ? words : `${place}: ${words}`
}

/** Text, HTML without its tags, or JSON that breaks off: then the words that it begins with. */
function readText(text: string): string {
  const begun = /"(?:message|detail|error)"\s*:\s*("(?:[^"\\]|\\.)*)/.exec(text)
  const message = begun === null ? undefined : parseOrUndefined(`${begun[1]}"`)
  if (typeof message === 'string') return message
  return text
    .replace(unseenHtml, ' ')
    .replace(/<[a-z!/][^<>]*>/gi, ' ')
    .replace(/\s+/g, ' ')
}
