import type { JsonObject, JsonValue } from '../../../../lib/json.ts'
import { checkSchema, readCount, readList, readMembers, readNames, readText, readTypes } from './keywords.ts'
import { itemSchema } from './matches-array.ts'
import type { SchemaScope } from './schema-scope.ts'

/** Levels that are looked into. What needs more counts as endless, like a schema that always contains itself. */
const levelsMax = 12

/** How deep the simplest instance of a schema nests: 0 for a scalar or an empty array, infinite for no end. */
export function heightOf(part: JsonValue, scope: SchemaScope, levels = levelsMax): number {
  scope.spend()
  const schema = checkSchema(part)
  if (typeof schema === 'boolean') return schema ? 0 : Number.POSITIVE_INFINITY
  if (levels === 0) return Number.POSITIVE_INFINITY
  const known = scope.heights.get(schema) ?? []
  const height = known[levels] ?? measure(schema, part => heightOf(part, scope, levels - 1), scope)
  known[levels] = height
  scope.heights.set(schema, known)
  return height
}

type Measure = (part: JsonValue) => number

function measure(schema: JsonObject, height: Measure, scope: SchemaScope): number {
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return 0
  const reference = readText(schema, '$ref')
  const branches = ['anyOf', 'oneOf'].map(keyword => readList(schema, keyword)).filter(list => list !== undefined)
  return Math.max(
    ownHeight(schema, height),
    reference === undefined ? 0 : height(scope.resolve(reference)),
    ...(readList(schema, 'allOf') ?? []).map(height),
    ...branches.map(list => Math.min(...list.map(height))),
  )
}

function ownHeight(schema: JsonObject, height: Measure): number {
  const types = readTypes(schema)
  if (types?.some(type => type !== 'object' && type !== 'array') === true) return 0
  const isArray = types?.includes('array') === true || (types === undefined && schema['minItems'] !== undefined)
  const objectHeight = requiredHeight(schema, height)
  if (!isArray) return objectHeight
  return types?.includes('object') === true
    ? Math.min(objectHeight, itemHeight(schema, height))
    : itemHeight(schema, height)
}

function requiredHeight(schema: JsonObject, height: Measure): number {
  const properties = readMembers(schema, 'properties')
  const heights = readNames(schema, 'required').map(name => 1 + height(properties[name] ?? true))
  return Math.max(0, ...heights)
}

function itemHeight(schema: JsonObject, height: Measure): number {
  if ((readCount(schema, 'minItems') ?? 0) === 0) return 0
  return 1 + height(itemSchema(schema, 0) ?? true)
}
