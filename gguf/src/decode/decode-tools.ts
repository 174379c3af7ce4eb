import type { ToolDefinition } from '../chat-request.ts'
import { toToolParameters } from '../schema/tool-parameters.ts'
import { invalidField, unsupportedField } from '../wire-error.ts'
import { type Fields, isFields, readList, readOptional } from './read-fields.ts'

const toolsMax = 128
const namePattern = /^[A-Za-z0-9_.-]{1,128}$/

/**
 * The tools that the model may call: none when the caller says `tool_choice: "none"`. Forcing a call is refused,
 * because the library cannot do it.
 */
export function decodeTools(body: Fields): readonly ToolDefinition[] {
  const tools = (readList(body, 'tools') ?? []).map((tool, index) => decodeTool(tool, `tools[${index}]`))
  if (tools.length > toolsMax) throw invalidField('tools', `At most ${toolsMax} tools are possible.`)
  if (new Set(tools.map(tool => tool.name)).size < tools.length) {
    throw invalidField('tools', 'Two tools have the same name.')
  }
  const choice = readOptional(body, 'tool_choice') ?? 'auto'
  if (choice === 'none') return []
  if (choice === 'auto') return tools
  throw unsupportedField('tool_choice', 'This engine takes tool_choice auto and none only.')
}

function decodeTool(tool: unknown, param: string): ToolDefinition {
  const definition = isFields(tool) && tool['type'] === 'function' ? readOptional(tool, 'function') : undefined
  if (!isFields(definition)) throw invalidField(param, `${param} must be a function.`)
  const name = readOptional(definition, 'name')
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw invalidField(`${param}.function.name`, `${param}.function.name must be 1 to 128 letters, digits, _, . or -.`)
  }
  const description = readOptional(definition, 'description')
  const parameters = readOptional(definition, 'parameters')
  if (parameters !== undefined && !isFields(parameters)) {
    throw invalidField(`${param}.function.parameters`, `${param}.function.parameters must be a JSON Schema.`)
  }
  return {
    name,
    description: typeof description === 'string' ? description : undefined,
    parameters: parameters === undefined ? undefined : toToolParameters(parameters),
  }
}
