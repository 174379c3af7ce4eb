import type { JsonObject, JsonValue } from '../../../../lib/json.ts'
import { readCount, readMembers, readNames } from './keywords.ts'
import { propertySchemas } from './matches-object.ts'
import { allOf, inside, isLean, type Make, type Place } from './place.ts'
import { samplePattern } from './sample-pattern.ts'
import { SchemaRefused } from './schema-refused.ts'

/** Objects with more properties than this are not made. */
const propertiesMax = 1_000

/** Further names that are tried when some are not allowed. */
const namesBeyond = 16

/** Objects for the schemas: with everything that they declare, and with only what must be there. */
export function* makeObjects(parts: readonly JsonObject[], place: Place, make: Make): Generator<JsonObject> {
  for (const withOptional of isLean(place) ? [false] : [true, false]) {
    const made = makeObject(parts, { place, withOptional }, make)
    if (made !== null) yield made
  }
}

interface ObjectWish {
  readonly place: Place
  readonly withOptional: boolean
}

function makeObject(parts: readonly JsonObject[], { place, withOptional }: ObjectWish, make: Make): JsonObject | null {
  const required = new Set(parts.flatMap(part => readNames(part, 'required')))
  const declared = parts.flatMap(part => Object.keys(readMembers(part, 'properties')))
  const min = Math.max(0, ...parts.map(part => readCount(part, 'minProperties') ?? 0))
  const max = Math.min(...parts.map(part => readCount(part, 'maxProperties') ?? Number.POSITIVE_INFINITY))
  if (Math.max(min, required.size) > propertiesMax)
    throw new SchemaRefused(`wants more than ${propertiesMax} properties`)
  const made = new Map<string, JsonValue>()
  const wanted = withOptional ? max : Math.min(max, Math.max(min, required.size))
  const still = new Set(required)
  for (const name of new Set([...declared, ...required, ...furtherNames(parts, { place, min }, make)])) {
    const isDeclared = required.has(name) || declared.includes(name)
    const hasRoom = made.size + still.size < (isDeclared ? wanted : min)
    if (!required.has(name) && !hasRoom) continue
    const value = make(allPropertySchemas(parts, name, place), inside(place))
    still.delete(name)
    if (value !== undefined) made.set(name, value)
    else if (required.has(name)) return null
  }
  return Object.fromEntries(made)
}

/** Names beyond those that are declared, for objects that need more properties. */
function* furtherNames(
  parts: readonly JsonObject[],
  { place, min }: { place: Place; min: number },
  make: Make,
): Generator<string> {
  const nameSchemas = parts.map(part => part['propertyNames']).filter(schema => schema !== undefined)
  const patterns = parts.flatMap(part => Object.keys(readMembers(part, 'patternProperties')))
  for (let variant = 0; min > 0 && variant < min + namesBeyond; variant++) {
    // Where a name must not begin or end in a certain way, longer ones make further names.
    for (const length of [0, variant]) {
      if (nameSchemas.length > 0)
        yield* nameOf(make({ allOf: [...nameSchemas, { minLength: length }] }, { ...inside(place), variant }))
      const wish = { variant, min: length, max: Number.POSITIVE_INFINITY }
      for (const pattern of patterns) yield* samplePattern(place.scope.pattern(pattern), wish, place.scope)
    }
    if (nameSchemas.length === 0) yield `extra_${variant + 1}`
  }
}

function nameOf(value: JsonValue | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : []
}

function allPropertySchemas(parts: readonly JsonObject[], name: string, { scope }: Place): JsonValue {
  return allOf(parts.flatMap(part => propertySchemas(part, name, scope)))
}
