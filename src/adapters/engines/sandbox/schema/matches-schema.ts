import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json.ts'
import { isEqualJson } from './canonical-json.ts'
import { checkSchema, readList, readText, readTypes } from './keywords.ts'
import { matchesArray } from './matches-array.ts'
import { matchesObject } from './matches-object.ts'
import { matchesNumber, matchesString } from './matches-scalar.ts'
import type { SchemaScope } from './schema-scope.ts'

/** Whether a value is valid for a part of a schema. Formats are not looked at: they are right by the way they are made. */
export type Matches = (value: JsonValue, schema: JsonValue, scope: SchemaScope) => boolean

/**
 * Judges what was made before it is used, so that an instance is valid or is not given at all.
 * @throws SchemaRefused when the schema uses what is not known here, or is too much work
 */
export const matchesSchema: Matches = (value, part, scope) => {
  scope.spend()
  const schema = checkSchema(part)
  if (typeof schema === 'boolean') return schema
  return scope.within(
    () =>
      matchesType(value, readTypes(schema)) &&
      matchesListed(value, schema, scope) &&
      matchesOwnKind(value, schema, scope) &&
      matchesCombined(value, schema, scope) &&
      matchesCondition(value, schema, scope),
  )
}

function matchesType(value: JsonValue, types: readonly string[] | undefined): boolean {
  if (types === undefined) return true
  if (typeof value === 'number')
    return types.includes('number') || (Number.isInteger(value) && types.includes('integer'))
  return types.includes(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
}

function matchesListed(value: JsonValue, schema: JsonObject, scope: SchemaScope): boolean {
  const values = readList(schema, 'enum')
  scope.spend(values?.length ?? 0)
  if (values !== undefined && !values.some(one => isEqualJson(one, value))) return false
  return schema['const'] === undefined || isEqualJson(schema['const'], value)
}

function matchesOwnKind(value: JsonValue, schema: JsonObject, scope: SchemaScope): boolean {
  if (typeof value === 'number') return matchesNumber(value, schema)
  if (typeof value === 'string') return matchesString(value, schema, scope)
  if (Array.isArray(value)) return matchesArray(value, { schema, scope, matches: matchesSchema })
  return !isJsonObject(value) || matchesObject(value, { schema, scope, matches: matchesSchema })
}

function matchesCombined(value: JsonValue, schema: JsonObject, scope: SchemaScope): boolean {
  const matches = (part: JsonValue) => matchesSchema(value, part, scope)
  const reference = readText(schema, '$ref')
  const { not } = schema
  return (
    (reference === undefined || matches(scope.resolve(reference))) &&
    (readList(schema, 'allOf')?.every(matches) ?? true) &&
    (readList(schema, 'anyOf')?.some(matches) ?? true) &&
    (readList(schema, 'oneOf') === undefined || readList(schema, 'oneOf')?.filter(matches).length === 1) &&
    (not === undefined || !matches(not))
  )
}

function matchesCondition(value: JsonValue, schema: JsonObject, scope: SchemaScope): boolean {
  if (schema['if'] === undefined) return true
  const branch = schema[matchesSchema(value, schema['if'], scope) ? 'then' : 'else']
  return branch === undefined || matchesSchema(value, branch, scope)
}
