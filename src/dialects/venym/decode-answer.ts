import { type Amount, nanoPerUsd } from '../../core/money.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json.ts'

/** What one event of a stream brings, for a client of this surface. Everything that it does not bring is empty. */
export interface AnswerPiece {
  /** The completion's id; empty where the event has none. */
  readonly id: string
  readonly text: string
  readonly reasoning: string
  readonly finishReason: string | null
  readonly usage: AnswerUsage | null
  readonly sources: readonly AnswerSource[]
  /** The failure that ends the answer, in the gateway's words. */
  readonly error: string | null
}

export interface AnswerUsage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** Null when the gateway could not tell the cost in time. */
  readonly costNano: Amount | null
}

export interface AnswerSource {
  readonly title: string
  readonly url: string
}

/** Reads an event of `POST /v1/chat/completions`, or the error object that it was answered with (venym.md §3, §5). */
export function decodeAnswerPiece(event: JsonObject): AnswerPiece {
  const choice = firstObject(event['choices'])
  const delta = objectOf(choice['delta'])
  return {
    id: textOf(event['id']),
    text: textOf(delta['content']),
    reasoning: textOf(delta['reasoning_content']) || textOf(delta['reasoning']),
    finishReason: textOf(choice['finish_reason']) || null,
    usage: isJsonObject(event['usage']) ? decodeUsage(event['usage']) : null,
    sources: decodeSources(objectOf(event['venym'])['sources']),
    error: isJsonObject(event['error']) ? textOf(event['error']['message']) || 'The gateway gave no reason.' : null,
  }
}

/** What a stopped answer cost, out of `GET /v1/generation` (venym.md §7); null when the body does not say. */
export function decodeGenerationUsage(body: JsonValue): AnswerUsage | null {
  const data = objectOf(objectOf(body)['data'])
  if (typeof data['total_cost'] !== 'number') return null
  return {
    promptTokens: countOf(data['tokens_prompt']),
    completionTokens: countOf(data['tokens_completion']),
    costNano: nanoOf(data['total_cost']),
  }
}

/** The ids out of `GET /v1/models`. */
export function decodeModelIds(body: JsonValue): readonly string[] {
  const list = objectOf(body)['data']
  return Array.isArray(list) ? list.map(model => textOf(objectOf(model)['id'])).filter(id => id !== '') : []
}

function decodeUsage(usage: JsonObject): AnswerUsage {
  return {
    promptTokens: countOf(usage['prompt_tokens']),
    completionTokens: countOf(usage['completion_tokens']),
    costNano: typeof usage['cost'] === 'number' ? nanoOf(usage['cost']) : null,
  }
}

function decodeSources(sources: JsonValue | undefined): readonly AnswerSource[] {
  if (!Array.isArray(sources)) return []
  return sources.map(objectOf).map(({ title, url }) => ({ title: textOf(title), url: textOf(url) }))
}

/** A cost is exact to the nano-USD in its text, and a double is nearer to it than half a nano-USD. */
function nanoOf(usd: number): Amount {
  return BigInt(Math.round(usd * Number(nanoPerUsd)))
}

function firstObject(value: JsonValue | undefined): JsonObject {
  return Array.isArray(value) ? objectOf(value[0]) : {}
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function countOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0
}
