import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/lib/json.ts'

/**
 * What OpenAI's own reference would say against a body, checked without the gateway's schemas. `tool_calls` may hold
 * anything, as this surface's contract says, so their entries are not looked into.
 */
export function openAiFaults(messages: readonly JsonObject[], parameters: JsonObject): string[] {
  return [...messages.flatMap(messageFaults), ...parameterFaults(parameters)]
}

const membersOf: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  tool: ['role', 'content', 'name', 'tool_call_id'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'reasoning_content', 'reasoning_details', 'thought_signature'],
}

function messageFaults(message: JsonObject): string[] {
  const role = String(message['role'])
  const members = membersOf[role]
  if (members === undefined) return [`the role ${role}`]
  const strangers = Object.keys(message).filter(key => !members.includes(key))
  const nulls = Object.entries(message).filter(([key, value]) => value === null && key !== 'content')
  return [
    ...strangers.map(key => `${role}.${key}`),
    ...nulls.map(([key]) => `${role}.${key} is null`),
    ...contentFaults(role, message),
    ...(role === 'tool' && typeof message['tool_call_id'] !== 'string' ? ['a result of no call'] : []),
  ]
}

function contentFaults(role: string, { content, tool_calls }: JsonObject): string[] {
  const calls = Array.isArray(tool_calls) && tool_calls.length > 0
  if (tool_calls !== undefined && !calls) return ['empty tool_calls']
  if (typeof content === 'string') return []
  if (content === null) return role === 'assistant' && calls ? [] : [`${role} without content`]
  if (!Array.isArray(content) || content.length === 0 || role === 'tool') return [`content of ${role}`]
  return content.flatMap(part => (isPart(part, role) ? [] : [`a part of ${role}: ${JSON.stringify(part)}`]))
}

function isPart(part: JsonValue, role: string): boolean {
  if (!isJsonObject(part)) return false
  const { type, text, image_url, input_audio, video_url } = part
  if (type === 'text') return typeof text === 'string' && text !== ''
  if (role !== 'user') return false
  if (type === 'image_url') return isJsonObject(image_url) && typeof image_url['url'] === 'string'
  if (type === 'video_url') return isJsonObject(video_url) && typeof video_url['url'] === 'string'
  return type === 'input_audio' && isJsonObject(input_audio) && typeof input_audio['format'] === 'string'
}

const isNumber = (value: JsonValue) => typeof value === 'number' && Number.isFinite(value)
const isBoolean = (value: JsonValue) => typeof value === 'boolean'

const parameterKinds: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  temperature: isNumber,
  top_p: isNumber,
  top_k: isNumber,
  min_p: isNumber,
  min_temp: isNumber,
  max_temp: isNumber,
  repetition_penalty: isNumber,
  frequency_penalty: isNumber,
  presence_penalty: isNumber,
  n: Number.isSafeInteger,
  seed: Number.isSafeInteger,
  stop: value => typeof value === 'string' || (Array.isArray(value) && value.length > 0),
  stop_token_ids: Array.isArray,
  logprobs: isBoolean,
  top_logprobs: Number.isSafeInteger,
  stream: value => value === true,
  parallel_tool_calls: isBoolean,
  tools: value => Array.isArray(value) && value.length > 0 && value.every(isFunction),
  tool_choice: value => typeof value === 'string' || isFunction(value),
  response_format: value => isJsonObject(value) && (value['type'] !== 'json_schema' || isNamed(value['json_schema'])),
}

function parameterFaults(parameters: JsonObject): string[] {
  return Object.entries(parameters).flatMap(([name, value]) => (parameterKinds[name]?.(value) === true ? [] : [name]))
}

function isFunction(value: JsonValue): boolean {
  return isJsonObject(value) && value['type'] === 'function' && isNamed(value['function'])
}

function isNamed(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && typeof value['name'] === 'string' && value['name'] !== ''
}
