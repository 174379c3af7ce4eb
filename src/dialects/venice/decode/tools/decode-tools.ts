import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'
import { anyObject, flag, given, text } from '../fields.ts'
import { wrongType } from '../issues/issue-wording.ts'
import type { Problems } from '../issues/problems.ts'
import type { Path } from '../issues/schema-issue.ts'

/** Searches that other services run themselves. Accepted and left out, because search is a setting here (venice.md §1.4). */
const hostedTools: ReadonlySet<JsonValue | undefined> = new Set(['web_search', 'x_search'])

const definition = {
  name: z.string().min(1),
  description: text(),
  parameters: anyObject().nullish(),
  strict: flag(),
}
export const nestedSchema = z.object({ type: text(), function: z.object(definition) })
/** OpenAI's flat form, and Anthropic's with its `input_schema`. */
export const flatSchema = z.object({
  type: z.enum(['function', 'custom']).nullish(),
  ...definition,
  input_schema: anyObject().nullish(),
})

type Definition = z.output<typeof nestedSchema>['function']

/** The functions among the tools, in OpenAI's nested form; empty when there are none (venice.md §1.4). */
export function decodeTools(tools: JsonValue | undefined, problems: Problems): readonly JsonObject[] {
  if (tools === undefined || tools === null) return []
  if (!Array.isArray(tools)) {
    problems.add(['tools'], wrongType('array', tools))
    return []
  }
  const functions: JsonObject[] = []
  for (const [index, tool] of tools.entries()) {
    if (problems.isFull) break
    const decoded = decodeTool(tool, ['tools', index], problems)
    if (decoded !== null) functions.push(decoded)
  }
  return functions
}

/** Null for a hosted tool, and for one that is wrong. */
function decodeTool(tool: JsonValue, path: Path, problems: Problems): JsonObject | null {
  if (!isJsonObject(tool)) {
    problems.add(path, wrongType('object', tool))
    return null
  }
  const isNested = tool['function'] !== undefined
  if (!isNested && hostedTools.has(tool['type'])) return null
  if (isNested || tool['name'] === undefined) {
    const nested = problems.check(nestedSchema, tool, path)
    return nested === undefined ? null : encodeFunction(nested.function)
  }
  const flat = problems.check(flatSchema, tool, path)
  return flat === undefined ? null : encodeFunction({ ...flat, parameters: flat.parameters ?? flat.input_schema })
}

function encodeFunction({ name, description, parameters, strict }: Definition): JsonObject {
  return { type: 'function', function: { name, ...given({ description, parameters, strict }) } }
}
