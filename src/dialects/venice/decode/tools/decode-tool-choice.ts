import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'
import { wrongEnum, wrongUnion } from '../issues/issue-wording.ts'
import type { Problems } from '../issues/problems.ts'

const words = ['auto', 'none', 'required']
const path = ['tool_choice']

const namedSchema = z.object({ type: z.string(), function: z.object({ name: z.string().min(1) }) })

/**
 * The choice among tools in OpenAI's form: one of three words, or a named function. Null when none was made
 * (venice.md §1.4).
 */
export function decodeToolChoice(choice: JsonValue | undefined, problems: Problems): JsonValue {
  if (choice === undefined || choice === null) return null
  if (isJsonObject(choice)) return decodeObject(choice, problems)
  if (typeof choice === 'string' && words.includes(choice)) return choice
  problems.add(path, typeof choice === 'string' ? wrongEnum(words, choice) : wrongUnion(['string', 'object'], choice))
  return null
}

/** Anthropic says `any` for `required`, and its choices name the tool without a wrapper, as OpenAI's newer ones do. */
function decodeObject(choice: JsonObject, problems: Problems): JsonValue {
  const { type, name } = choice
  if (typeof type === 'string' && words.includes(type)) return type
  if (type === 'any') return 'required'
  const isFlat = choice['function'] === undefined && (type === 'function' || type === 'tool') && name !== undefined
  const named = problems.check(namedSchema, isFlat ? { type, function: { name } } : choice, path)
  return named === undefined ? null : { type: 'function', function: { name: named.function.name } }
}
