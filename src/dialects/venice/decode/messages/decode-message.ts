import type { JsonObject, JsonValue } from '../../../../lib/json.ts'
import { given } from '../fields.ts'
import { wrongUnion } from '../issues/issue-wording.ts'
import type { Path } from '../issues/schema-issue.ts'
import { decodeAssistant } from './decode-assistant.ts'
import { decodeParts, type PlacedPart } from './decode-parts.ts'
import { speakerSchema, toolSchema } from './message-schemas.ts'
import { placeParts } from './place-parts.ts'
import type { PromptReading } from './prompt-reading.ts'
import { decodeToolResult, isBlock } from './tool-blocks.ts'

/** One message at its place in the body → the messages of OpenAI's form that it stands for. */
type MessageDecoder = (message: JsonObject, path: Path, reading: PromptReading) => JsonObject[]

/** By role, in the order in which callers are told of them. */
export const messageDecoders: ReadonlyMap<string, MessageDecoder> = new Map<string, MessageDecoder>([
  ['system', decodeSpeech],
  ['developer', decodeSpeech],
  ['user', decodeUser],
  ['assistant', decodeAssistant],
  ['tool', decodeTool],
])

function decodeSpeech(message: JsonObject, path: Path, reading: PromptReading): JsonObject[] {
  const { content, role = '' } = message
  const name = nameOf(message, path, reading)
  if (typeof content === 'string') return [{ role, content, ...name }]
  if (Array.isArray(content)) {
    const parts = decodeParts(placeParts(content, path), { role: String(role), path }, reading)
    return [{ role, content: parts.length === 0 ? '' : parts, ...name }]
  }
  reading.problems.add([...path, 'content'], wrongUnion(['string', 'array'], content))
  return []
}

function decodeUser(message: JsonObject, path: Path, reading: PromptReading): JsonObject[] {
  const { content } = message
  const parts = Array.isArray(content) ? placeParts(content, path) : []
  const results = parts.filter(part => isBlock(part, 'tool_result'))
  if (results.length === 0) return decodeSpeech(message, path, reading)
  const others = parts.filter(part => !isBlock(part, 'tool_result'))
  return decodeResults(results, others, { path, name: nameOf(message, path, reading), reading })
}

interface UserMessage {
  readonly path: Path
  readonly name: JsonObject
  readonly reading: PromptReading
}

/** Results of tools answer the calls before this message, so they come before what else the user says in it. */
function decodeResults(
  blocks: readonly PlacedPart[],
  others: readonly PlacedPart[],
  { path, name, reading }: UserMessage,
): JsonObject[] {
  const results = blocks.flatMap(block => decodeToolResult(block, reading))
  const said = [...results.flatMap(({ images }) => images), ...others]
  const content: JsonValue = decodeParts(said, { role: 'user', path }, reading)
  const answers = results.map(({ message }) => message)
  return said.length === 0 ? answers : [...answers, { role: 'user', content, ...name }]
}

function decodeTool(message: JsonObject, path: Path, { problems }: PromptReading): JsonObject[] {
  const checked = problems.check(toolSchema, message, path)
  if (checked === undefined) return []
  const { content, tool_call_id, name } = checked
  return [{ role: 'tool', tool_call_id, content, ...given({ name }) }]
}

function nameOf(message: JsonObject, path: Path, { problems }: PromptReading): JsonObject {
  return given({ name: problems.check(speakerSchema, message, path)?.name })
}
