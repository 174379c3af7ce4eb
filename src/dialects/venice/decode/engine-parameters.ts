import type { JsonObject, JsonValue } from '../../../lib/json.ts'
import type { ChatFields } from './chat-schema.ts'
import { given } from './fields.ts'
import { engineFormat } from './response-format.ts'

/** Members that engines take as callers write them. */
const passed = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'min_temp',
  'max_temp',
  'repetition_penalty',
  'frequency_penalty',
  'presence_penalty',
  'n',
  'seed',
  'stop',
  'stop_token_ids',
] as const satisfies readonly (keyof ChatFields)[]

export interface DecodedTools {
  readonly functions: readonly JsonObject[]
  readonly choice: JsonValue
}

/** The engine's body but for messages, model, limits and what engines spell differently. Only what was given is there. */
export function engineParameters(fields: ChatFields, tools: DecodedTools): JsonObject {
  const { response_format: format } = fields
  return {
    ...given(Object.fromEntries(passed.map(name => [name, fields[name]]))),
    ...logprobParameters(fields),
    ...toolParameters(fields, tools),
    ...given({ response_format: format == null ? undefined : engineFormat(format) }),
    ...(fields.stream === true ? { stream: true } : {}),
  }
}

/** Asking for alternatives asks for probabilities too: engines refuse the one without the other. */
function logprobParameters({ logprobs, top_logprobs }: ChatFields): JsonObject {
  if (top_logprobs == null) return given({ logprobs })
  return logprobs === false ? { logprobs } : { logprobs: true, top_logprobs }
}

/** Engines refuse a choice that has nothing to choose from, so one that changes nothing stays here. */
function toolParameters({ parallel_tool_calls }: ChatFields, { functions, choice }: DecodedTools): JsonObject {
  if (functions.length > 0) return given({ tools: [...functions], tool_choice: choice, parallel_tool_calls })
  return choice === 'auto' || choice === 'none' ? {} : given({ tool_choice: choice })
}
