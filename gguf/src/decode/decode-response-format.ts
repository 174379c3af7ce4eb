import { compileSchemaGrammar } from '../schema/schema-grammar.ts'
import { SchemaError } from '../schema/schema-scope.ts'
import { invalidField } from '../wire-error.ts'
import { type Fields, readFields, readOptional } from './read-fields.ts'

/** `response_format` → the grammar that answers have to follow; absent for plain text. */
export function decodeResponseFormat(body: Fields): string | undefined {
  const format = readFields(body, 'response_format')
  if (format === undefined) return undefined
  switch (readOptional(format, 'type')) {
    case 'text':
      return undefined
    case 'json_object':
      return compileSchemaGrammar({ type: 'object' })
    case 'json_schema':
      return compileSchema(readFields(format, 'json_schema'))
    default:
      throw invalidField('response_format.type', 'response_format.type must be text, json_object or json_schema.')
  }
}

function compileSchema(description: Fields | undefined): string {
  const param = 'response_format.json_schema.schema'
  const schema = description === undefined ? undefined : readOptional(description, 'schema')
  if (schema === undefined) throw invalidField(param, `${param} is required.`)
  try {
    return compileSchemaGrammar(schema)
  } catch (error) {
    if (error instanceof SchemaError) throw invalidField(param, error.message)
    throw error
  }
}
