import { isJsonObject, type JsonObject } from '../../../lib/json.ts'
import type { ChatFields } from './chat-schema.ts'
import { given } from './fields.ts'

type ResponseFormat = NonNullable<ChatFields['response_format']>

/** Engines want a name for every schema; callers need not give one. */
const defaultName = 'response'

/**
 * The format in OpenAI's form: `{name, schema, strict}`. A schema that stands bare in `json_schema` is wrapped
 * (venice.md §1.5).
 */
export function engineFormat(format: ResponseFormat): JsonObject {
  if (format.type !== 'json_schema') return { type: format.type }
  const { json_schema: wrapper } = format
  const { name, description, schema, strict } = wrapper
  if (!isJsonObject(schema)) return { type: format.type, json_schema: { name: defaultName, schema: wrapper } }
  const details = {
    description: typeof description === 'string' ? description : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
  }
  const ownName = typeof name === 'string' && name !== '' ? name : defaultName
  return { type: format.type, json_schema: { name: ownName, schema, ...given(details) } }
}
