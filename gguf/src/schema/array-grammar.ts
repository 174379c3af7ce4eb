import type { Fields } from '../decode/read-fields.ts'
import { readCount, repeat } from './scalar-grammar.ts'
import { addRule, type Place, SchemaError, type Scope, step } from './schema-scope.ts'

/** GBNF for an array: `prefixItems` first, then as many `items` as the counts allow. */
export function arrayGrammar(scope: Scope, schema: Fields, place: Place): string {
  const prefix = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : []
  const at = step(place, 'prefixItems')
  const fixed = prefix.map((item, index) => scope.compile(scope, item, step(at, String(index))))
  const min = Math.max(fixed.length, readCount(schema, 'minItems', place.path) ?? 0)
  const closed = schema['items'] === false
  const max = closed ? fixed.length : readCount(schema, 'maxItems', place.path)
  if (max !== undefined && max < min) throw new SchemaError(place.path, 'asks for more items than it allows')
  if (max === fixed.length) return addRule(scope, `"[" space ${fixed.join(' comma ')} space "]"`, place.path)
  const items = step(place, 'items')
  const item = addRule(scope, scope.compile(scope, schema['items'] ?? true, items), items.path)
  const required = [...fixed, ...(fixed.length === 0 && min > 0 ? [item] : [])]
  const rest = { min: min - required.length, max: max === undefined ? undefined : max - Math.max(1, required.length) }
  if (required.length === 0) {
    return addRule(scope, `"[" space (${item} ${repeat(`comma ${item}`, 0, rest.max)})? space "]"`, place.path)
  }
  const more = repeat(`comma ${item}`, rest.min, rest.max)
  return addRule(scope, `"[" space ${required.join(' comma ')} ${more} space "]"`, place.path)
}
