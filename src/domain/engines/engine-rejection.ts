import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../lib/json.ts'
import { quotesPrivate } from './quotes-private.ts'
import { redactMessage, renameModel } from './redact-message.ts'
import { type RejectionKind, rejectionKind } from './rejection-kind.ts'

/** An engine's 4xx, made fit for the caller (venym.md §4, §8). */
export interface EngineRejection {
  readonly status: number
  readonly message: string
  /** The engine's own code when it is text. */
  readonly code: string | null
  readonly param: string | null
  readonly kind: RejectionKind
  /** What an engine's own validation says of single fields, as `field.path: message`; at most five. */
  readonly problems: readonly string[]
}

export interface RejectedCall {
  readonly status: number
  /** What came of the body; it may be cut. */
  readonly body: Buffer
  /** The engine's own name of the model, and what the caller calls it. */
  readonly engineModel: string
  readonly publicModel: string
  /** What stood in the prompt and is not the caller's to read. */
  readonly privateTexts: readonly string[]
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
const problemsMax = 5
/** Where validations list what is wrong. */
const problemKeys = ['detail', 'errors', 'issues'] as const

/** Parts of a page that nobody reads. */
const unseenHtml = /<(script|style|head)\b[^>]*>[\s\S]*?<\/\1\s*>/gi

/** Reads the engine's words in any of the shapes that engines use: error objects, `detail` lists, plain text, HTML, SSE. */
export function readRejection({ status, body, engineModel, publicModel, privateTexts }: RejectedCall): EngineRejection {
  const text = firstEvent(body.toString('utf8'))
  const json = parseOrUndefined(text)
  const error = isJsonObject(json) && isJsonObject(json['error']) ? json['error'] : json
  const words = json === undefined ? readText(text.slice(0, readCharactersMax)) : findMessage(error)
  const clean = (value: string, charactersMax: number): string => {
    if (quotesPrivate(value.slice(0, readCharactersMax), privateTexts)) return ''
    const renamed = renameModel(value.slice(0, readCharactersMax), engineModel, publicModel)
    return redactMessage(renamed).trim().slice(0, charactersMax).replace(halfCharacter, '')
  }
  const field = (key: string): string | null => {
    const value = isJsonObject(error) ? error[key] : undefined
    return (typeof value === 'string' && clean(value, fieldCharactersMax)) || null
  }
  return {
    status,
    message: clean(words, messageCharactersMax) || `The engine refused the request with status ${status}.`,
    code: field('code'),
    param: field('param'),
    kind: rejectionKind(error, words),
    problems: problemsOf(error)
      .map(problem => clean(problem.slice(0, 2 * fieldCharactersMax), fieldCharactersMax))
      .filter(problem => problem !== ''),
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
  const place = placeOf(value)
  return place === '' || words === '' ? words : `${place}: ${words}`
}

/** FastAPI names it `loc`, others `path`; the body itself says nothing. */
function placeOf({ loc, path }: JsonObject): string {
  const place = Array.isArray(loc) ? loc : path
  if (!Array.isArray(place)) return ''
  return place.filter(part => part !== 'body' && (typeof part === 'string' || typeof part === 'number')).join('.')
}

function problemsOf(error: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(error)) return []
  const list = problemKeys.map(key => error[key]).find(value => Array.isArray(value))
  if (!Array.isArray(list)) return []
  return list
    .slice(0, problemsMax)
    .map(item => findMessage(item))
    .filter(text => text !== '')
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
