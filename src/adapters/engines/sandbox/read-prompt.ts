import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { invalidField, RequestRefused } from '../request-refused.ts'
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
  const tokens = countAll(messages)
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

/** Counts no further than the context goes: the time that a request takes does not grow with what is refused. */
function countAll(messages: readonly JsonObject[]): number {
  let tokens = 0
  for (const text of messages.flatMap(textsOf)) {
    tokens += countTokens(text, contextTokens + 1 - tokens)
    if (tokens > contextTokens) {
      const message = `The messages have more than the ${contextTokens} tokens that the context holds.`
      throw new RequestRefused('context_length_exceeded', message, 'messages')
    }
  }
  return tokens
}

/** What counts of a message: its text, and the arguments of the calls that it makes. */
function textsOf(message: JsonObject): string[] {
  const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
  const texts = calls.map(call => {
    const called = isJsonObject(call) ? call['function'] : undefined
    return isJsonObject(called) ? called['arguments'] : undefined
  })
  return [contentText(message['content']), ...texts.filter(text => typeof text === 'string')]
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
