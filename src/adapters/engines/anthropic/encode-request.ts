import type { EngineCall } from '../../../domain/engines/types.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { Chat, Tool, Turn } from '../chat/chat.ts'
import { readChat } from '../chat/read-chat.ts'
import { type ClaudeFacts, claudeFacts } from './claude-facts.ts'
import { encodeMessages, encodeSystem } from './encode-messages.ts'
import { encodeThinking, type ThinkingMembers } from './encode-thinking.ts'
import { outputSchema } from './output-schema.ts'

/** The body of POST /messages. `deniedKeys` as `foldName` gives them. @throws RequestRefused */
export function encodeRequest(call: EngineCall, deniedKeys: ReadonlySet<string>): JsonObject {
  const chat = readChat(call, deniedKeys)
  const facts = claudeFacts(call.engineModel)
  const members = encodeThinking(chat, facts, call.outputLimit)
  const system = encodeSystem(chat.turns)
  return {
    model: call.engineModel,
    max_tokens: call.outputLimit,
    messages: encodeMessages(chat.turns),
    ...(system.length === 0 ? {} : { system }),
    ...(call.stream ? { stream: true } : {}),
    ...encodeTools(chat),
    ...encodeSampling(chat, facts, members),
    ...(members.thinking === null ? {} : { thinking: members.thinking }),
    ...encodeOutput(chat, members),
    ...encodeWishes(call),
  }
}

function encodeTools({ tools, toolChoice, parallelCalls, turns }: Chat): JsonObject {
  if (tools.length === 0) return encodePastTools(turns)
  const oneAtATime = parallelCalls || toolChoice.kind === 'none' ? {} : { disable_parallel_tool_use: true }
  const type = { auto: 'auto', none: 'none', required: 'any', named: 'tool' }[toolChoice.kind]
  const name = toolChoice.kind === 'named' ? { name: toolChoice.name } : {}
  return { tools: tools.map(encodeTool), tool_choice: { type, ...name, ...oneAtATime } }
}

/** Calls in the conversation want their tools to be known, also where none may be called any more. */
function encodePastTools(turns: readonly Turn[]): JsonObject {
  const names = new Set(turns.flatMap(turn => (turn.role === 'assistant' ? turn.calls.map(({ name }) => name) : [])))
  if (names.size === 0) return {}
  const tools = [...names].map(name => ({ name, input_schema: { type: 'object', properties: {} } }))
  return { tools, tool_choice: { type: 'none' } }
}

function encodeTool({ name, description, parameters, strict, cacheControl }: Tool): JsonObject {
  return {
    name,
    ...(description === null ? {} : { description }),
    input_schema: parameters ?? { type: 'object', properties: {} },
    ...(strict ? { strict } : {}),
    ...(cacheControl === null ? {} : { cache_control: cacheControl }),
  }
}

/** The API's temperature ends at 1; it takes temperature or top_p, not both, and neither from a model that thinks. */
function encodeSampling({ sampling }: Chat, { isSampled }: ClaudeFacts, { thinking }: ThinkingMembers): JsonObject {
  const { temperature, topP, topK, stop } = sampling
  const stopping: JsonObject = stop.length === 0 ? {} : { stop_sequences: [...stop] }
  if (!isSampled || (thinking !== null && thinking['type'] !== 'disabled')) return stopping
  return {
    ...stopping,
    ...(temperature === null ? {} : { temperature: Math.min(temperature, 1) }),
    ...(topP === null || temperature !== null ? {} : { top_p: topP }),
    ...(topK === null ? {} : { top_k: topK }),
  }
}

function encodeOutput({ format }: Chat, { effort }: ThinkingMembers): JsonObject {
  const config: JsonObject = {
    ...(effort === null ? {} : { effort }),
    ...(format.kind === 'schema' ? { format: { type: 'json_schema', schema: outputSchema(format.schema) } } : {}),
  }
  return Object.keys(config).length === 0 ? {} : { output_config: config }
}

function encodeWishes({ wishes }: EngineCall): JsonObject {
  if (wishes === null) return {}
  const { fallbacks, endUserId } = wishes
  return {
    metadata: { user_id: endUserId },
    ...(fallbacks.length === 0 ? {} : { fallbacks: fallbacks.map(model => ({ model })) }),
  }
}
