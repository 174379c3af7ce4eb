import type { Fields } from '../decode/read-fields.ts'
import { SchemaError } from './schema-scope.ts'

/** Keywords that say nothing about which values are valid. */
const annotations = [
  ...['$schema', '$id', '$comment', '$defs', 'definitions', 'title', 'description', 'default', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', 'format', 'contentMediaType'],
]

const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

/** Per JSON type the keywords that the grammar keeps. A fractional number has none: its digits follow no range. */
const keywordsByType: ReadonlyMap<string, readonly string[]> = new Map([
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
  ['string', ['minLength', 'maxLength']],
  ['integer', bounds],
  ['number', []],
  ['boolean', []],
  ['null', []],
])

/** Keywords that decide by themselves what is generated. */
const deciders = ['$ref', 'const', 'enum', 'anyOf', 'oneOf', 'allOf']

/**
 * Refuses every keyword that the grammar would silently lose, e.g. `pattern`, or `minimum` on a fractional number.
 */
export function refuseUnknownKeywords(schema: Fields, path: string): void {
  const decider = deciders.find(keyword => keyword in schema)
  const kept = new Set(annotations)
  if (decider === undefined) for (const keyword of keywordsOf(schema, path)) kept.add(keyword)
  else kept.add(decider)
  if (decider === undefined || decider === 'enum' || decider === 'const') kept.add('type')
  for (const [keyword, value] of Object.entries(schema)) {
    const off = keyword === 'uniqueItems' && value === false
    if (!kept.has(keyword) && !off) throw new SchemaError(`${path}/${keyword}`, 'is not supported here')
  }
}

/** Keywords of types that cannot come out have no effect; only bounds of fractional numbers would be lost. */
function keywordsOf(schema: Fields, path: string): readonly string[] {
  const losesBounds = schemaTypes(schema, path).includes('number')
  return [...keywordsByType.values()].flat().filter(keyword => !losesBounds || !bounds.includes(keyword))
}

/** The types a schema allows: as it says, or as its keywords suggest, else all. */
export function schemaTypes(schema: Fields, path: string): readonly string[] {
  const given = schema['type']
  if (given === undefined) return suggestedTypes(schema)
  const types: readonly unknown[] = Array.isArray(given) ? given : [given]
  const known = types.filter(type => typeof type === 'string').filter(type => keywordsByType.has(type))
  if (known.length === types.length && known.length > 0) return known
  throw new SchemaError(`${path}/type`, 'is not a JSON type')
}

/** Without `type` all types are allowed; narrowing them to the type that the keywords speak of stays inside the schema. */
function suggestedTypes(schema: Fields): readonly string[] {
  for (const [type, keywords] of keywordsByType) if (keywords.some(keyword => keyword in schema)) return [type]
  return ['object', 'array', 'string', 'number', 'boolean', 'null']
}

/** Whether a value of `enum` or `const` also passes the schema's `type`. */
export function matchesType(value: unknown, schema: Fields, path: string): boolean {
  return !('type' in schema) || schemaTypes(schema, path).some(type => isOfType(value, type))
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
