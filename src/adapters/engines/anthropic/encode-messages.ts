import type { JsonObject } from '../../../lib/json.ts'
import type { AssistantTurn, MediaPart, Part, Turn } from '../chat/chat.ts'
import { invalidField } from '../request-refused.ts'
import { placeThinking } from './place-thinking.ts'

interface Message {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject[]
}

/** What systems and developers say stands before the conversation, in its order. */
export function encodeSystem(turns: readonly Turn[]): JsonObject[] {
  return turns.flatMap(turn => (turn.role === 'system' ? encodeParts(turn.parts) : []))
}

/**
 * The conversation: what tools answer is said by the user, and what one side says in a row is one message, because all
 * answers to the calls of one message must stand in the next.
 */
export function encodeMessages(turns: readonly Turn[]): JsonObject[] {
  const messages: Message[] = []
  for (const turn of turns) {
    if (turn.role === 'system') continue
    const role = turn.role === 'assistant' ? 'assistant' : 'user'
    const content = encodeTurn(turn)
    const last = messages.at(-1)
    if (last?.role === role) last.content.push(...content)
    else if (content.length > 0) messages.push({ role, content: [...content] })
  }
  return trimEnd(messages).map(({ role, content }) => ({ role, content }))
}

function encodeTurn(turn: Exclude<Turn, { readonly role: 'system' }>): JsonObject[] {
  if (turn.role === 'assistant') return encodeAssistant(turn)
  if (turn.role === 'user') return encodeParts(turn.parts)
  const content = encodeParts(turn.parts)
  return [{ type: 'tool_result', tool_use_id: encodeId(turn.callId), ...(content.length === 0 ? {} : { content }) }]
}

function encodeAssistant({ parts, calls, reasoningDetails }: AssistantTurn): JsonObject[] {
  const uses = calls.map(({ id, name, input }) => ({ type: 'tool_use', id: encodeId(id), name, input }))
  return placeThinking(reasoningDetails, [...encodeParts(parts), ...uses])
}

/** Calls of other engines have ids with signs that this API does not take. */
function encodeId(id: string): string {
  return id.replace(/[^\w-]/g, '_')
}

function encodeParts(parts: readonly Part[]): JsonObject[] {
  return parts.map(part => {
    const mark = part.cacheControl === null ? {} : { cache_control: part.cacheControl }
    return part.kind === 'text' ? { type: 'text', text: part.text, ...mark } : { ...encodeMedia(part), ...mark }
  })
}

function encodeMedia({ kind, source, path }: MediaPart): JsonObject {
  if (kind === 'audio' || kind === 'video') throw invalidField(path, `holds ${kind}, which this model does not take`)
  const type = kind === 'image' ? 'image' : 'document'
  if (source.kind === 'url') return { type, source: { type: 'url', url: source.url } }
  if (kind === 'file' && source.mediaType !== 'application/pdf')
    throw invalidField(path, 'holds a file that is no PDF, which this model does not take')
  return { type, source: { type: 'base64', media_type: source.mediaType, data: source.base64 } }
}

/** A conversation that ends with words of the assistant may not end with white space. */
function trimEnd(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || block === undefined || typeof block['text'] !== 'string') return messages
  const text = block['text'].trimEnd()
  const content = [...last.content.slice(0, -1), ...(text === '' ? [] : [{ ...block, text }])]
  return [...messages.slice(0, -1), ...(content.length === 0 ? [] : [{ ...last, content }])]
}
