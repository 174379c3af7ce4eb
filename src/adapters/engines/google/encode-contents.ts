import { isJsonObject, JsonError, type JsonObject, parseJson } from '../../../lib/json.ts'
import type { AssistantTurn, MediaPart, Part, ToolTurn, Turn } from '../chat/chat.ts'
import { invalidField } from '../request-refused.ts'
import type { GeminiFacts } from './gemini-facts.ts'

/** The API's own word for "this call has no signature": the conversation comes from another model. */
const noSignature = 'skip_thought_signature_validator'

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: JsonObject[]
}

/** What systems and developers say stands before the conversation, in its order. */
export function encodeSystem(turns: readonly Turn[]): JsonObject[] {
  return turns.flatMap(turn => (turn.role === 'system' ? turn.parts.map(encodePart) : []))
}

/** The conversation; what one side says in a row is one content, with what tools answer said by the user. */
export function encodeContents(turns: readonly Turn[], facts: GeminiFacts): JsonObject[] {
  const names = new Map<string, string>()
  const contents: Content[] = []
  for (const turn of turns) {
    if (turn.role === 'system') continue
    if (turn.role === 'assistant') for (const { id, name } of turn.calls) names.set(id, name)
    const role = turn.role === 'assistant' ? 'model' : 'user'
    const parts = encodeTurn(turn, names, facts)
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role, parts: [...parts] })
  }
  return contents.map(({ role, parts }) => ({ role, parts }))
}

function encodeTurn(
  turn: Exclude<Turn, { readonly role: 'system' }>,
  names: ReadonlyMap<string, string>,
  facts: GeminiFacts,
): JsonObject[] {
  if (turn.role === 'assistant') return encodeAssistant(turn, facts)
  return turn.role === 'user' ? turn.parts.map(encodePart) : [encodeResult(turn, names)]
}

/** A signature of the whole message belongs to its first call, or to the end of its text. */
function encodeAssistant({ parts, calls, thoughtSignature }: AssistantTurn, facts: GeminiFacts): JsonObject[] {
  const isSigned = calls.some(({ signature }) => signature !== null)
  const texts = parts.map(encodePart)
  const last = texts.at(-1)
  if (calls.length === 0 && last !== undefined && thoughtSignature !== null)
    return [...texts.slice(0, -1), { ...last, thoughtSignature }]
  const unsigned = facts.wantsSignatures ? noSignature : null
  const functionCalls = calls.map(({ id, name, input, signature }, index) => {
    const own = signature ?? (index === 0 && !isSigned ? (thoughtSignature ?? unsigned) : null)
    return { functionCall: { id, name, args: input }, ...(own === null ? {} : { thoughtSignature: own }) }
  })
  return [...texts, ...functionCalls]
}

/** @throws RequestRefused for an answer to a call that nobody made */
function encodeResult({ callId, parts, path }: ToolTurn, names: ReadonlyMap<string, string>): JsonObject {
  const name = names.get(callId)
  if (name === undefined) throw invalidField(`${path}.tool_call_id`, 'names no call of a tool before it')
  const text = parts.map(part => (part.kind === 'text' ? part.text : '')).join('\n')
  return { functionResponse: { id: callId, name, response: readObject(text) ?? { output: text } } }
}

function readObject(text: string): JsonObject | null {
  try {
    const value = parseJson(text)
    return isJsonObject(value) ? value : null
  } catch (error) {
    if (error instanceof JsonError) return null
    throw error
  }
}

function encodePart(part: Part): JsonObject {
  return part.kind === 'text' ? { text: part.text } : encodeMedia(part)
}

function encodeMedia({ source }: MediaPart): JsonObject {
  return source.kind === 'url'
    ? { fileData: { fileUri: source.url } }
    : { inlineData: { mimeType: source.mediaType, data: source.base64 } }
}
