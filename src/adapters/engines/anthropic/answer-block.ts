import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { thinkingFormat } from './place-thinking.ts'

/** A block of an answer while it comes. Deltas are in OpenAI's form; null says nothing. */
export interface Block {
  readonly isCall: boolean
  /** What is said when the block begins. */
  readonly opening: JsonObject | null
  add(delta: JsonValue | undefined): JsonObject | null
  closing(): JsonObject | null
  /** What the caller brings back with the next request; null where there is nothing of the kind. */
  detail(index: number): JsonObject | null
}

/** Null for a block that means nothing to callers. `callIndex` numbers the calls of tools. */
export function createBlock(content: JsonObject, callIndex: number): Block | null {
  switch (content['type']) {
    case 'text':
      return textBlock(textOf(content, 'text'))
    case 'thinking':
      return thinkingBlock(content)
    case 'redacted_thinking':
      return {
        ...silent,
        detail: index => ({ ...detailOf('reasoning.encrypted', index), data: textOf(content, 'data') }),
      }
    case 'tool_use':
      return toolBlock(content, callIndex)
    default:
      return null
  }
}

const silent: Block = { isCall: false, opening: null, add: () => null, closing: () => null, detail: () => null }

function textBlock(text: string): Block {
  return { ...silent, opening: said('content', text), add: delta => said('content', textOf(delta, 'text')) }
}

function thinkingBlock(content: JsonObject): Block {
  let text = textOf(content, 'thinking')
  let signature = textOf(content, 'signature')
  return {
    ...silent,
    opening: said('reasoning_content', text),
    add(delta) {
      const piece = textOf(delta, 'thinking')
      text += piece
      signature += textOf(delta, 'signature')
      return said('reasoning_content', piece)
    },
    detail: index => ({ ...detailOf('reasoning.text', index), text, signature }),
  }
}

/** Arguments come in pieces of JSON text; a call without arguments has none, which is no JSON. */
function toolBlock(content: JsonObject, callIndex: number): Block {
  const { input } = content
  const whole = isJsonObject(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : ''
  const called = { name: textOf(content, 'name'), arguments: whole }
  const call = { index: callIndex, id: textOf(content, 'id'), type: 'function', function: called }
  let hasArguments = whole !== ''
  const argue = (text: string): JsonObject | null => {
    if (text === '') return null
    hasArguments = true
    return { tool_calls: [{ index: callIndex, function: { arguments: text } }] }
  }
  return {
    ...silent,
    isCall: true,
    opening: { tool_calls: [call] },
    add: delta => argue(textOf(delta, 'partial_json')),
    closing: () => (hasArguments ? null : argue('{}')),
  }
}

function detailOf(type: string, index: number): JsonObject {
  return { type, format: thinkingFormat, index }
}

function said(name: string, text: string): JsonObject | null {
  return text === '' ? null : { [name]: text }
}

function textOf(object: JsonValue | undefined, name: string): string {
  const text = isJsonObject(object) ? object[name] : undefined
  return typeof text === 'string' ? text : ''
}
