import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { invalidField } from '../request-refused.ts'
import type { Magic } from './magic-inputs.ts'
import { instanceFor } from './plan-json.ts'
import type { Prompt } from './read-prompt.ts'

const toolsMax = 128

export interface ToolCall {
  readonly name: string
  /** JSON text, valid for the tool's schema. */
  readonly arguments: string
}

interface Tool {
  readonly name: string
  readonly parameters: JsonValue
  readonly param: string
}

/**
 * The calls that the answer consists of; none when the answer is text: without tools, when the caller chose none, or after
 * a tool has answered. @throws RequestRefused
 */
export function planToolCalls(fields: JsonObject, magic: Magic, prompt: Prompt): readonly ToolCall[] {
  const tools = readTools(fields['tools'])
  const chosen = chooseTools(tools, fields['tool_choice'] ?? 'auto', magic.tool)
  if (prompt.toolResults.length > 0 || chosen.length === 0) return []
  const calls = fields['parallel_tool_calls'] === false ? 1 : (magic['parallel-tools'] ?? 1)
  return Array.from({ length: calls }, (_, index) => {
    const tool = chosen[index % chosen.length] ?? { name: '', parameters: {}, param: 'tools' }
    return { name: tool.name, arguments: instanceFor(tool.parameters, tool.param, index) }
  })
}

function readTools(value: JsonValue | undefined): readonly Tool[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > toolsMax)
    throw invalidField('tools', `must be a list of at most ${toolsMax} tools`)
  return value.map((tool, index) => {
    const param = `tools.${index}`
    const called = isJsonObject(tool) && tool['type'] === 'function' ? tool['function'] : undefined
    if (!isJsonObject(called) || typeof called['name'] !== 'string' || called['name'] === '')
      throw invalidField(param, 'must be {"type":"function","function":{"name":…,"parameters":…}}')
    const { name, parameters } = called
    return { name, parameters: parameters ?? { type: 'object' }, param: `${param}.function.parameters` }
  })
}

/** The tools that may be called, the one to begin with first. What the magic input names wins over `tool_choice`. */
function chooseTools(tools: readonly Tool[], choice: JsonValue, wanted: string | undefined): readonly Tool[] {
  if (wanted !== undefined) return named(tools, wanted, 'messages')
  if (choice === 'none' || (choice === 'auto' && tools.length === 0)) return []
  if (choice === 'auto' || choice === 'required') {
    if (tools.length === 0) throw invalidField('tool_choice', 'needs `tools` beside it')
    return tools
  }
  const called = isJsonObject(choice) && choice['type'] === 'function' ? choice['function'] : undefined
  if (!isJsonObject(called) || typeof called['name'] !== 'string')
    throw invalidField('tool_choice', 'must be auto, required, none or {"type":"function","function":{"name":…}}')
  return named(tools, called['name'], 'tool_choice')
}

function named(tools: readonly Tool[], name: string, param: string): readonly Tool[] {
  const found = tools.find(tool => tool.name === name)
  if (found === undefined) throw invalidField(param, 'names a tool that is not among `tools`')
  return [found]
}
