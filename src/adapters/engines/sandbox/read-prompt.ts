import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { invalidField, RequestRefused } from './request-refused.ts'
import { countTokens } from './tokens.ts'

/** The context of the model, as the catalogue shows it. */
export const contextTokens = 131_072

export interface Prompt {
  /** Of the text of all messages. */
  readonly tokens: number
  readonly messages: number
  /** The text of the last message of the role `user`. */
  readonly userText: string
  /** Its parts that are not text. */
  readonly mediaParts: number
  /** What tools answered since the last turn of the model; empty when the last message is none of a tool. */
  readonly toolResults: readonly string[]
}

/** @throws RequestRefused when there are no messages, or more text than the context holds */
export function readPrompt(value: JsonValue | undefined): Prompt {
  const messages = Array.isArray(value) ? value.filter(isJsonObject) : []
  if (messages.length === 0) throw invalidField('messages', 'must be a list of messages')
  const tokens = messages.reduce((sum, message) => sum + messageTokens(message), 0)
  if (tokens > contextTokens) {
    const message = `The messages have ${tokens} tokens, and the context holds ${contextTokens}.`
    throw new RequestRefused('context_length_exceeded', message, 'messages')
  }
  const user = messages.findLast(message => message['role'] === 'user')
  const answered = messages.findLastIndex(message => message['role'] !== 'tool')
  return {
    tokens,
    messages: messages.length,
    userText: user === undefined ? '' : contentText(user['content']),
    mediaParts: user === undefined ? 0 : countMedia(user['content']),
    toolResults: messages.slice(answered + 1).map(message => contentText(message['content'])),
  }
}

function messageTokens(message: JsonObject): number {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
  return countTokens(contentText(message['content'])) + calls.reduce<number>((sum, call) => sum + callTokens(call), 0)
}

function callTokens(call: JsonValue): number {
  const called = isJsonObject(call) ? call['function'] : undefined
  const text = isJsonObject(called) ? called['arguments'] : undefined
  return typeof text === 'string' ? countTokens(text) : 0
}

function contentText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const texts = content.map(part => (isJsonObject(part) ? part['text'] : undefined))
  return texts.filter(text => typeof text === 'string').join('\n')
}

function countMedia(content: JsonValue | undefined): number {
  if (!Array.isArray(content)) return 0
  return content.filter(part => isJsonObject(part) && typeof part['text'] !== 'string').length
}
