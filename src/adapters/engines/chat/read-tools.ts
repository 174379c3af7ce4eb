import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { invalidField } from '../request-refused.ts'
import type { Tool, ToolChoice } from './chat.ts'

/** @throws RequestRefused for a tool that is no function */
export function readTools(tools: JsonValue | undefined): readonly Tool[] {
  if (tools === undefined || tools === null) return []
  if (!Array.isArray(tools)) throw invalidField('tools', 'must be a list')
  return tools.map((tool, index) => readTool(tool, `tools[${index}]`))
}

function readTool(tool: JsonValue, path: string): Tool {
  const described = isJsonObject(tool) ? tool['function'] : undefined
  if (!isJsonObject(tool) || !isJsonObject(described)) throw invalidField(path, 'must be a function')
  const { name, description, parameters, strict } = described
  if (typeof name !== 'string' || name === '') throw invalidField(`${path}.function.name`, 'must be a name')
  if (parameters !== undefined && parameters !== null && !isJsonObject(parameters))
    throw invalidField(`${path}.function.parameters`, 'must be a JSON Schema')
  return {
    name,
    description: typeof description === 'string' ? description : null,
    parameters: parameters ?? null,
    strict: strict === true,
    cacheControl: readCacheControl(tool),
  }
}

/** @throws RequestRefused */
export function readToolChoice(choice: JsonValue | undefined): ToolChoice {
  if (choice === undefined || choice === null) return { kind: 'auto' }
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  const called = isJsonObject(choice) ? choice['function'] : undefined
  const name = isJsonObject(called) ? called['name'] : undefined
  if (typeof name !== 'string') throw invalidField('tool_choice', 'must be auto, none, required or a function')
  return { kind: 'named', name }
}

export function readCacheControl({ cache_control: mark }: JsonObject): JsonObject | null {
  return isJsonObject(mark) ? mark : null
}
