import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { invalidField, RequestRefused } from '../request-refused.ts'
import { makeInstance } from './schema/make-instance.ts'
import { SchemaRefused } from './schema/schema-refused.ts'

/**
 * The JSON text that `response_format` asks for; null when it asks for plain text. `notice` is what an object without a
 * schema holds. @throws RequestRefused
 */
export function planJson(fields: JsonObject, notice: string): string | null {
  const format = fields['response_format'] ?? null
  if (format === null) return null
  const type = isJsonObject(format) ? format['type'] : undefined
  if (!isJsonObject(format) || (type !== 'text' && type !== 'json_object' && type !== 'json_schema'))
    throw invalidField('response_format.type', 'must be text, json_object or json_schema')
  if (type === 'text') return null
  return type === 'json_object' ? JSON.stringify({ notice }) : planSchema(format)
}

/** Clients put the schema into `json_schema.schema`; some put it into `json_schema` itself, or beside the type. */
function planSchema(format: JsonObject): string {
  const description = format['json_schema']
  if (description === undefined) return instanceFor(format['schema'], 'response_format.schema')
  const nested = isJsonObject(description) ? description['schema'] : undefined
  if (nested !== undefined) return instanceFor(nested, 'response_format.json_schema.schema')
  return instanceFor(description, 'response_format.json_schema')
}

/** JSON text of an instance of a caller's schema. @throws RequestRefused `invalid_schema`, which names the parameter */
export function instanceFor(schema: JsonValue | undefined, param: string, variant = 0): string {
  if (schema === undefined) throw invalidField(param, 'is missing')
  try {
    return JSON.stringify(makeInstance(schema, variant))
  } catch (error) {
    if (error instanceof SchemaRefused)
      throw new RequestRefused('invalid_schema', `The schema in \`${param}\` ${error.message}.`, param)
    throw error
  }
}
