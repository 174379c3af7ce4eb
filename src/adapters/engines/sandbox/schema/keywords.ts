import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'
import { SchemaRefused } from './schema-refused.ts'

/** Keywords that change what is valid and that are not understood here. To ignore one would be to promise too much. */
const unknownKeywords = [
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentSchemas',
  'dependencies',
  '$dynamicRef',
  '$recursiveRef',
] as const

/** A schema that is an object or a boolean. @throws SchemaRefused for anything else, and for keywords that are not known */
export function checkSchema(schema: JsonValue): JsonObject | boolean {
  if (typeof schema === 'boolean') return schema
  if (!isJsonObject(schema)) throw new SchemaRefused('has a part that is neither an object nor a boolean')
  for (const keyword of unknownKeywords) {
    if (Object.hasOwn(schema, keyword))
      throw new SchemaRefused(`uses \`${keyword}\`, which the test mode does not know`)
  }
  return schema
}

export function readNumber(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new SchemaRefused(`needs a number for \`${keyword}\``)
  return value
}

export function readCount(schema: JsonObject, keyword: string): number | undefined {
  const value = readNumber(schema, keyword)
  if (value === undefined) return undefined
  if (!Number.isSafeInteger(value) || value < 0) throw new SchemaRefused(`needs a whole number for \`${keyword}\``)
  return value
}

export function readText(schema: JsonObject, keyword: string): string | undefined {
  const value = schema[keyword]
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw new SchemaRefused(`needs a string for \`${keyword}\``)
  return value
}

export function readList(schema: JsonObject, keyword: string): readonly JsonValue[] | undefined {
  const value = schema[keyword]
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw new SchemaRefused(`needs a list for \`${keyword}\``)
  return value
}

export function readNames(schema: JsonObject, keyword: string): readonly string[] {
  const names = readList(schema, keyword) ?? []
  if (!names.every(name => typeof name === 'string'))
    throw new SchemaRefused(`needs a list of names for \`${keyword}\``)
  return names
}

/** The members of an object keyword such as `properties`; empty when it is absent. */
export function readMembers(schema: JsonObject, keyword: string): JsonObject {
  const value = schema[keyword]
  if (value === undefined) return {}
  if (!isJsonObject(value)) throw new SchemaRefused(`needs an object for \`${keyword}\``)
  return value
}

/** The names in `type`, or undefined when the schema has none. */
export function readTypes(schema: JsonObject): readonly string[] | undefined {
  const type = schema['type']
  return typeof type === 'string' ? [type] : type === undefined ? undefined : readNames(schema, 'type')
}
