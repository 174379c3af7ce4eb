import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'

/** Constraints that the API refuses in a schema of an answer; what they ask for is left to the caller's own check. */
const refusedKeywords: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])

/** Keywords whose members are names of the caller's, with a schema under each. */
const namedSchemas: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])

/** Keywords whose value is no schema, so that nothing in it may be touched. */
const plainValues: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples'])

/** The caller's schema as the API takes it: every object is closed, and constraints that it does not know are gone. */
export function outputSchema(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema)
    .filter(([keyword, value]) => !refusedKeywords.has(keyword) && !isLargeMinItems(keyword, value))
    .map(([keyword, value]) => [keyword, encodeKeyword(keyword, value)] as const)
  const isClosed = schema['type'] !== 'object' || schema['additionalProperties'] === false
  return { ...Object.fromEntries(kept), ...(isClosed ? {} : { additionalProperties: false }) }
}

/** Only 0 and 1 are known. */
function isLargeMinItems(keyword: string, value: JsonValue): boolean {
  return keyword === 'minItems' && value !== 0 && value !== 1
}

function encodeKeyword(keyword: string, value: JsonValue): JsonValue {
  if (plainValues.has(keyword)) return value
  if (Array.isArray(value)) return value.map(item => (isJsonObject(item) ? outputSchema(item) : item))
  if (!isJsonObject(value)) return value
  if (!namedSchemas.has(keyword)) return outputSchema(value)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isJsonObject(item) ? outputSchema(item) : item]),
  )
}
