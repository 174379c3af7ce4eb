import type { JsonObject, JsonValue } from '../../../../lib/json.ts'
import { canonicalJson } from './canonical-json.ts'
import { readCount, readList } from './keywords.ts'
import type { Matches } from './matches-schema.ts'
import type { SchemaScope } from './schema-scope.ts'

export interface MatchesOptions {
  readonly schema: JsonObject
  readonly scope: SchemaScope
  readonly matches: Matches
}

export function matchesArray(value: readonly JsonValue[], { schema, scope, matches }: MatchesOptions): boolean {
  if (value.length < (readCount(schema, 'minItems') ?? 0)) return false
  if (value.length > (readCount(schema, 'maxItems') ?? Number.POSITIVE_INFINITY)) return false
  if (schema['uniqueItems'] === true && new Set(value.map(canonicalJson)).size < value.length) return false
  return (
    value.every((item, index) => {
      const part = itemSchema(schema, index)
      return part === undefined || matches(item, part, scope)
    }) && hasContained(value, { schema, scope, matches })
  )
}

/** What an array says of the item at an index; undefined for nothing. Before 2020 a list in `items` meant the first items. */
export function itemSchema(schema: JsonObject, index: number): JsonValue | undefined {
  const { items } = schema
  const prefix = Array.isArray(items) ? items : (readList(schema, 'prefixItems') ?? [])
  return index < prefix.length ? prefix[index] : Array.isArray(items) ? schema['additionalItems'] : items
}

export function prefixLength(schema: JsonObject): number {
  const { items } = schema
  return Array.isArray(items) ? items.length : (readList(schema, 'prefixItems')?.length ?? 0)
}

/** How many items have to match `contains`; 0 without it. */
export function leastContained(schema: JsonObject): number {
  return schema['contains'] === undefined ? 0 : (readCount(schema, 'minContains') ?? 1)
}

function hasContained(value: readonly JsonValue[], { schema, scope, matches }: MatchesOptions): boolean {
  const { contains } = schema
  if (contains === undefined) return true
  const found = value.filter(item => matches(item, contains, scope)).length
  return found >= leastContained(schema) && found <= (readCount(schema, 'maxContains') ?? Number.POSITIVE_INFINITY)
}
