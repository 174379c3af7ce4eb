import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'
import { anyObject } from '../fields.ts'
import { wrongDiscriminator, wrongType, wrongUnion } from '../issues/issue-wording.ts'
import type { Path } from '../issues/schema-issue.ts'
import type { PlacedPart } from './decode-parts.ts'
import type { PromptReading } from './prompt-reading.ts'

/** Anthropic's calls and results of tools, which stand among the parts there, as OpenAI's (venice.md §1.1). */

export const callSchema = z.object({ id: z.string(), name: z.string().min(1), input: anyObject().nullish() })
export const resultSchema = z.object({ tool_use_id: z.string() })
const resultTextSchema = z.object({ text: z.string() })

export function isBlock({ part }: PlacedPart, type: 'tool_use' | 'tool_result'): boolean {
  return isJsonObject(part) && part['type'] === type
}

/** A `tool_use` block → an entry of `tool_calls`; none when something is wrong with it. */
export function decodeToolUse({ part, path }: PlacedPart, { problems }: PromptReading): JsonObject[] {
  const call = problems.check(callSchema, part, path)
  if (call === undefined) return []
  const { id, name, input } = call
  return [{ id, type: 'function', function: { name, arguments: JSON.stringify(input ?? {}) } }]
}

export interface ToolResult {
  readonly message: JsonObject
  /** OpenAI's tool messages hold text alone; these go to the user's message behind it. */
  readonly images: readonly PlacedPart[]
}

/** A `tool_result` block → a message of the role `tool`; none when something is wrong with it. */
export function decodeToolResult({ part, path }: PlacedPart, reading: PromptReading): ToolResult[] {
  const result = reading.problems.check(resultSchema, part, path)
  const content = isJsonObject(part) ? part['content'] : null
  const { texts, images } = readResult(content, [...path, 'content'], reading)
  if (result === undefined) return []
  return [{ message: { role: 'tool', tool_call_id: result.tool_use_id, content: texts.join('\n') }, images }]
}

interface ResultContent {
  readonly texts: string[]
  readonly images: PlacedPart[]
}

function readResult(content: JsonValue | undefined, path: Path, reading: PromptReading): ResultContent {
  const read: ResultContent = { texts: [], images: [] }
  if (typeof content === 'string') read.texts.push(content)
  else if (Array.isArray(content)) {
    for (const [index, block] of content.entries()) {
      if (reading.problems.isFull) break
      readBlock({ part: block, path: [...path, index] }, read, reading)
    }
  } else if (content !== undefined && content !== null)
    reading.problems.add(path, wrongUnion(['string', 'array'], content))
  return read
}

function readBlock(block: PlacedPart, read: ResultContent, { problems }: PromptReading): void {
  const { part, path } = block
  const type = isJsonObject(part) ? part['type'] : undefined
  if (type === 'image') read.images.push(block)
  else if (type === 'text') {
    const text = problems.check(resultTextSchema, part, path)
    if (text !== undefined) read.texts.push(text.text)
  } else if (isJsonObject(part)) problems.add([...path, 'type'], wrongDiscriminator(['text', 'image']))
  else problems.add(path, wrongType('object', part))
}
