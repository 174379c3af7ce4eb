import { type Fields, isFields } from '../decode/read-fields.ts'

const depthMax = 32

/** Any JSON value, spelled in the form that the library's function grammar takes. */
const anyValue: Fields = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
}

const keptKeywords = [
  ...['type', 'description', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['enum', 'const'],
]
const keptFormats: readonly unknown[] = ['date', 'time', 'date-time']

/**
 * A tool's JSON Schema → the form of the library's function grammar. What that form lacks is left out (`pattern`,
 * bounds of numbers) or widened to any value, so a call follows the schema as far as the grammar can; callers check
 * arguments anyway. The library always fills all declared properties.
 */
export function toToolParameters(schema: unknown, depth = 0): Fields {
  if (!isFields(schema) || depth > depthMax) return anyValue
  const definitions = isFields(schema['$defs']) ? { $defs: convertEach(schema['$defs'], depth) } : {}
  return { ...convert(schema, depth), ...definitions }
}

function convert(schema: Fields, depth: number): Fields {
  const reference = schema['$ref']
  if (typeof reference === 'string') return reference.startsWith('#/$defs/') ? { $ref: reference } : anyValue
  const alternatives = schema['anyOf'] ?? schema['oneOf'] ?? splitTypes(schema)
  if (Array.isArray(alternatives)) return { oneOf: alternatives.map(part => toToolParameters(part, depth + 1)) }
  if (!('type' in schema || 'enum' in schema || 'const' in schema || 'properties' in schema)) return anyValue
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => keptKeywords.includes(keyword)))
  const format = keptFormats.includes(schema['format']) ? { format: schema['format'] } : {}
  const items = isFields(schema['items']) ? { items: toToolParameters(schema['items'], depth + 1) } : {}
  return { ...kept, ...format, ...items, ...objectShape(schema, depth) }
}

/** The library's lists of types are for scalars only. */
function splitTypes(schema: Fields): readonly Fields[] | undefined {
  const types = schema['type']
  if (!Array.isArray(types) || !types.some(type => type === 'object' || type === 'array')) return undefined
  return types.map(type => ({ ...schema, type }))
}

function objectShape(schema: Fields, depth: number): Fields {
  const properties = schema['properties']
  if (!isFields(properties)) return schema['type'] === 'object' ? { additionalProperties: true } : {}
  return { type: 'object', properties: convertEach(properties, depth) }
}

function convertEach(schemas: Fields, depth: number): Fields {
  return Object.fromEntries(Object.entries(schemas).map(([name, value]) => [name, toToolParameters(value, depth + 1)]))
}
