import type { JsonObject, JsonValue } from '../../../../lib/json.ts'
import { readCount, readMembers, readNames } from './keywords.ts'
import { matchesPattern } from './match-pattern.ts'
import type { MatchesOptions } from './matches-array.ts'
import { SchemaRefused } from './schema-refused.ts'
import type { SchemaScope } from './schema-scope.ts'

export function matchesObject(value: JsonObject, { schema, scope, matches }: MatchesOptions): boolean {
  const names = Object.keys(value)
  if (names.length < (readCount(schema, 'minProperties') ?? 0)) return false
  if (names.length > (readCount(schema, 'maxProperties') ?? Number.POSITIVE_INFINITY)) return false
  const nameSchema = schema['propertyNames']
  return (
    readNames(schema, 'required').every(name => Object.hasOwn(value, name)) &&
    hasDependents(value, schema) &&
    names.every(
      name =>
        (nameSchema === undefined || matches(name, nameSchema, scope)) &&
        propertySchemas(schema, name, scope).every(part => matches(value[name] ?? null, part, scope)),
    )
  )
}

/** Everything that a schema says of the property with this name; nothing when it says nothing. */
export function propertySchemas(schema: JsonObject, name: string, scope: SchemaScope): readonly JsonValue[] {
  const properties = readMembers(schema, 'properties')
  const own = Object.hasOwn(properties, name) ? [properties[name] ?? null] : []
  const patterns = Object.entries(readMembers(schema, 'patternProperties'))
    .filter(([pattern]) => matchesPattern(scope.pattern(pattern), name, scope))
    .map(([, part]) => part)
  const found = [...own, ...patterns]
  if (found.length > 0) return found
  const rest = schema['additionalProperties']
  return rest === undefined ? [] : [rest]
}

function hasDependents(value: JsonObject, schema: JsonObject): boolean {
  return Object.entries(readMembers(schema, 'dependentRequired')).every(([name, dependents]) => {
    if (!Array.isArray(dependents)) throw new SchemaRefused('needs lists of names in `dependentRequired`')
    return !Object.hasOwn(value, name) || dependents.every(dependent => Object.hasOwn(value, String(dependent)))
  })
}
