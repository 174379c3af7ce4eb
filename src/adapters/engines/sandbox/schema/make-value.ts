import type { JsonObject, JsonValue } from '../../../../lib/json.ts'
import { canonicalJson } from './canonical-json.ts'
import { flattenSchema } from './flatten-schema.ts'
import { readList } from './keywords.ts'
import { makeArrays } from './make-array.ts'
import { makeNumbers } from './make-number.ts'
import { makeObjects } from './make-object.ts'
import { makeStrings } from './make-string.ts'
import { matchesSchema } from './matches-schema.ts'
import { isLean, type Make, type Place } from './place.ts'
import { commonTypes, type ValueType } from './value-types.ts'

/** Deeper instances are not made. */
const depthMax = 24

/**
 * Tries the ways to satisfy a schema until one gives a valid value. @throws SchemaRefused when the schema uses what is not
 * known here, or is too much work
 */
export const makeValue: Make = (schema, place) => {
  const { scope, depth, taken } = place
  if (depth > depthMax) return undefined
  for (const parts of flattenSchema(schema, { scope, simplestFirst: isLean(place) })) {
    for (const value of candidates(parts, place)) {
      if (matchesSchema(value, schema, scope) && taken?.has(canonicalJson(value)) !== true) return value
    }
  }
  return undefined
}

function* candidates(parts: readonly JsonObject[], place: Place): Generator<JsonValue> {
  const listed = listedValues(parts)
  if (listed !== null) return yield* rotate(listed, place.variant)
  for (const type of commonTypes(parts)) yield* candidatesOfType(type, parts, place)
}

/** The values of the first `const` or `enum`; null when there is none. */
function listedValues(parts: readonly JsonObject[]): readonly JsonValue[] | null {
  for (const part of parts) {
    if (part['const'] !== undefined) return [part['const']]
    const values = readList(part, 'enum')
    if (values !== undefined) return values
  }
  return null
}

function* rotate<T>(values: readonly T[], by: number): Generator<T> {
  const start = values.length === 0 ? 0 : by % values.length
  yield* values.slice(start)
  yield* values.slice(0, start)
}

function candidatesOfType(type: ValueType, parts: readonly JsonObject[], place: Place): Iterable<JsonValue> {
  switch (type) {
    case 'object':
      return makeObjects(parts, place, makeValue)
    case 'array':
      return makeArrays(parts, place, makeValue)
    case 'string':
      return makeStrings(parts, place)
    case 'number':
    case 'integer':
      return makeNumbers(parts, { whole: type === 'integer', variant: place.variant })
    case 'boolean':
      return rotate([true, false], place.variant)
    case 'null':
      return [null]
  }
}
