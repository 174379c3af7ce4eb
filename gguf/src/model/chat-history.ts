import type { ChatHistoryItem, ChatModelFunctions, ChatModelResponse } from 'node-llama-cpp'
import type { ChatMessage, ToolCall, ToolDefinition } from '../chat-request.ts'
import { invalidField } from '../wire-error.ts'

type ResponseItem = ChatModelResponse['response'][number]

/**
 * The conversation in the library's form. There one model turn holds its text, its calls and their results, so an
 * assistant message, the tool messages that answer it and an assistant message that follows become one turn.
 * @throws WireError 400 when a call has no result, or a result no call.
 */
export function toChatHistory(messages: readonly ChatMessage[]): ChatHistoryItem[] {
  const results = collectResults(messages)
  const history: ChatHistoryItem[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue
    if (message.role !== 'assistant') {
      history.push({ type: message.role, text: message.text })
      continue
    }
    const text: ResponseItem[] = message.text === '' ? [] : [message.text]
    const calls = message.calls.map((call, position) => toFunctionCall(call, { results, index, position }))
    const last = history.at(-1)
    if (last?.type === 'model') last.response.push(...text, ...calls)
    else history.push({ type: 'model', response: [...text, ...calls] })
  }
  if (history.at(-1)?.type !== 'model') history.push({ type: 'model', response: [] })
  return history
}

function collectResults(messages: readonly ChatMessage[]): ReadonlyMap<string, string> {
  const called = new Set<string>()
  const results = new Map<string, string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') for (const call of message.calls) called.add(call.id)
    if (message.role !== 'tool') continue
    if (!called.has(message.callId)) {
      throw invalidField(`messages[${index}].tool_call_id`, `messages[${index}] answers no tool call before it.`)
    }
    results.set(message.callId, message.text)
  }
  return results
}

function toFunctionCall(
  call: ToolCall,
  place: { readonly results: ReadonlyMap<string, string>; readonly index: number; readonly position: number },
): ResponseItem {
  const result = place.results.get(call.id)
  if (result === undefined) {
    throw invalidField(`messages[${place.index}].tool_calls`, `The tool call ${place.position} has no tool message.`)
  }
  return { type: 'functionCall', name: call.name, params: call.arguments, result, startsNewChunk: place.position === 0 }
}

/** The tools in the library's form; absent when there are none. */
export function toChatFunctions(tools: readonly ToolDefinition[]): ChatModelFunctions | undefined {
  if (tools.length === 0) return undefined
  return Object.fromEntries(
    tools.map(tool => [
      tool.name,
      {
        ...(tool.description === undefined ? {} : { description: tool.description }),
        ...(tool.parameters === undefined
          ? {}
          : { params: tool.parameters as NonNullable<ChatModelFunctions[string]['params']> }),
      },
    ]),
  )
}
