import type { ChatMessage, ToolCall } from '../chat-request.ts'
import { invalidField, unsupportedField } from '../wire-error.ts'
import { type Fields, isFields, readList, readOptional } from './read-fields.ts'

const messagesMax = 4_096

/** `messages` → the conversation. Only text parts are possible: a GGUF file alone holds no vision or audio encoder. */
export function decodeMessages(body: Fields): readonly ChatMessage[] {
  const messages = readList(body, 'messages')
  if (messages === undefined || messages.length === 0 || messages.length > messagesMax) {
    throw invalidField('messages', `messages must be an array of 1 to ${messagesMax} messages.`)
  }
  return messages.map((message, index) => decodeMessage(message, `messages[${index}]`))
}

function decodeMessage(message: unknown, param: string): ChatMessage {
  if (!isFields(message)) throw invalidField(param, `${param} must be an object.`)
  const text = decodeContent(readOptional(message, 'content'), `${param}.content`)
  const role = readOptional(message, 'role')
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', text: required(text, param) }
    case 'user':
      return { role: 'user', text: required(text, param) }
    case 'assistant':
      return { role: 'assistant', text: text ?? '', calls: decodeCalls(message, param) }
    case 'tool':
      return { role: 'tool', callId: readText(message, 'tool_call_id', param), text: required(text, param) }
    default:
      throw invalidField(`${param}.role`, `${param}.role must be system, developer, user, assistant or tool.`)
  }
}

function required(text: string | undefined, param: string): string {
  if (text === undefined) throw invalidField(`${param}.content`, `${param}.content is required.`)
  return text
}

function decodeContent(content: unknown, param: string): string | undefined {
  if (content === undefined || typeof content === 'string') return content
  if (!Array.isArray(content)) throw invalidField(param, `${param} must be a string or an array of parts.`)
  return content.map((part, index) => decodePart(part, `${param}[${index}]`)).join('')
}

function decodePart(part: unknown, param: string): string {
  if (!isFields(part)) throw invalidField(param, `${param} must be an object.`)
  const type = readOptional(part, 'type')
  if (type !== 'text') throw unsupportedField(`${param}.type`, 'This engine reads text parts only.')
  return readText(part, 'text', param)
}

function decodeCalls(message: Fields, param: string): readonly ToolCall[] {
  const calls = readList(message, 'tool_calls') ?? []
  return calls.map((call, index) => decodeCall(call, `${param}.tool_calls[${index}]`))
}

function decodeCall(call: unknown, param: string): ToolCall {
  const called = isFields(call) ? readOptional(call, 'function') : undefined
  if (!isFields(call) || !isFields(called)) throw invalidField(param, `${param} must be a function call.`)
  return {
    id: readText(call, 'id', param),
    name: readText(called, 'name', `${param}.function`),
    arguments: parseArguments(readText(called, 'arguments', `${param}.function`), `${param}.function.arguments`),
  }
}

function parseArguments(text: string, param: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalidField(param, `${param} must be JSON.`)
  }
}

function readText(fields: Fields, name: string, param: string): string {
  const value = readOptional(fields, name)
  if (typeof value !== 'string') throw invalidField(`${param}.${name}`, `${param}.${name} must be a string.`)
  return value
}
