import type { JsonObject, JsonValue } from '../../../../lib/json.ts'
import { given } from '../fields.ts'
import { wrongUnion } from '../issues/issue-wording.ts'
import type { Path } from '../issues/schema-issue.ts'
import { decodeParts } from './decode-parts.ts'
import { assistantSchema } from './message-schemas.ts'
import { placeParts } from './place-parts.ts'
import type { PromptReading } from './prompt-reading.ts'
import { decodeToolUse, isBlock } from './tool-blocks.ts'

/** Reasoning and calls go back to the engine just as they came, since engines sign them. */
export function decodeAssistant(message: JsonObject, path: Path, reading: PromptReading): JsonObject[] {
  const checked = reading.problems.check(assistantSchema, message, path)
  const { content, calls } = decodeTurn(message['content'], path, reading)
  if (checked === undefined) return []
  const { name, reasoning_content, thought_signature } = checked
  const { reasoning_details, tool_calls } = message
  const allCalls = [...(Array.isArray(tool_calls) ? tool_calls : []), ...calls]
  const details = given({ name, reasoning_content, reasoning_details, thought_signature })
  return [{ role: 'assistant', content, ...details, ...(allCalls.length === 0 ? {} : { tool_calls: allCalls }) }]
}

interface Turn {
  readonly content: JsonValue
  readonly calls: readonly JsonObject[]
}

/** What was said, and the calls that stood among it. */
function decodeTurn(content: JsonValue | undefined, path: Path, reading: PromptReading): Turn {
  if (typeof content === 'string') return { content, calls: [] }
  if (!Array.isArray(content)) {
    if (content !== undefined && content !== null)
      reading.problems.add([...path, 'content'], wrongUnion(['string', 'array', 'null'], content))
    return { content: null, calls: [] }
  }
  const parts = placeParts(content, path)
  const calls = parts.filter(part => isBlock(part, 'tool_use')).flatMap(block => decodeToolUse(block, reading))
  const said = parts.filter(part => !isBlock(part, 'tool_use'))
  const texts = decodeParts(said, { role: 'assistant', path }, reading)
  return { content: texts.length === 0 ? null : texts, calls }
}
