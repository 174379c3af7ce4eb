import type { ReasoningWish } from '../../../core/completion-request.ts'
import type { EngineCall } from '../../../domain/engines/types.ts'
import { foldName } from '../../../lib/fold-name.ts'
import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJsonBytes } from '../../../lib/json.ts'
import { invalidField } from '../request-refused.ts'
import type { AnswerFormat, Chat, Sampling } from './chat.ts'
import { readToolChoice, readTools } from './read-tools.ts'
import { readTurns } from './read-turns.ts'

/** What the gateway wraps around a caller's body makes it a little deeper than callers may write. */
const depthMax = 80

/** Reads what an engine may see of a call. `deniedKeys` are the engine's own, as `foldName` gives them. @throws RequestRefused */
export function readChat(call: EngineCall, deniedKeys: ReadonlySet<string>): Chat {
  const fields = visibleFields(call, deniedKeys)
  return {
    turns: readTurns(fields['messages']),
    tools: readTools(fields['tools']),
    toolChoice: readToolChoice(fields['tool_choice']),
    parallelCalls: fields['parallel_tool_calls'] !== false,
    format: readFormat(fields['response_format']),
    sampling: readSampling(fields),
    reasoning: call.wishes?.reasoning ?? readReasoning(fields),
  }
}

function visibleFields({ body, deniedKeys }: EngineCall, own: ReadonlySet<string>): JsonObject {
  const hidden = (name: string) =>
    body.removedKeys.has(name) || deniedKeys.has(foldName(name)) || own.has(foldName(name))
  return Object.fromEntries(Object.entries(parseBody(body.bytes)).filter(([name]) => !hidden(name)))
}

function parseBody(bytes: Buffer): JsonObject {
  try {
    const value = parseJsonBytes(bytes, { depthMax })
    if (isJsonObject(value)) return value
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
  }
  throw invalidField('body', 'must be a JSON object')
}

function readFormat(format: JsonValue | undefined): AnswerFormat {
  if (!isJsonObject(format) || format['type'] === 'text') return { kind: 'text' }
  if (format['type'] === 'json_object') return { kind: 'json' }
  const wrapper = format['json_schema']
  const schema = isJsonObject(wrapper) ? (wrapper['schema'] ?? wrapper) : undefined
  if (!isJsonObject(schema)) throw invalidField('response_format.json_schema', 'must hold a `schema`')
  return { kind: 'schema', schema }
}

function readSampling(fields: JsonObject): Sampling {
  const { stop } = fields
  return {
    temperature: readNumber(fields, 'temperature'),
    topP: readNumber(fields, 'top_p'),
    topK: readNumber(fields, 'top_k'),
    seed: readNumber(fields, 'seed'),
    presencePenalty: readNumber(fields, 'presence_penalty'),
    frequencyPenalty: readNumber(fields, 'frequency_penalty'),
    stop: (Array.isArray(stop) ? stop : [stop]).filter(text => typeof text === 'string' && text !== '') as string[],
  }
}

function readNumber(fields: JsonObject, name: string): number | null {
  const value = fields[name] ?? null
  if (value === null || typeof value === 'number') return value
  throw invalidField(name, 'must be a number')
}

/** A body that says all of it itself says this in OpenAI's words. */
function readReasoning({ reasoning_effort: effort, reasoning }: JsonObject): ReasoningWish {
  const asked = effort ?? (isJsonObject(reasoning) ? reasoning['effort'] : null)
  const wish = { effort: null, enabled: null, summary: null, verbosity: null }
  if (asked === 'none') return { ...wish, enabled: false }
  return typeof asked === 'string' ? { ...wish, effort: asked } : wish
}
