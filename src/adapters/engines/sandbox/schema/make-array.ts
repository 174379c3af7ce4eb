import type { JsonObject, JsonValue } from '../../../../lib/json.ts'
import { canonicalJson } from './canonical-json.ts'
import { readCount } from './keywords.ts'
import { itemSchema, leastContained, prefixLength } from './matches-array.ts'
import { allOf, inside, isLean, type Make, type Place } from './place.ts'

/** Further variants that are tried for an item that has to differ from those before it. */
const variantsMax = 16

/** Arrays for the schemas: with one item or the whole prefix, and with as few items as may be. */
export function* makeArrays(parts: readonly JsonObject[], place: Place, make: Make): Generator<JsonValue[]> {
  const contained = Math.max(0, ...parts.map(leastContained))
  const min = Math.max(contained, ...parts.map(part => readCount(part, 'minItems') ?? 0))
  const max = Math.min(...parts.map(part => readCount(part, 'maxItems') ?? Number.POSITIVE_INFINITY))
  place.scope.spend(min)
  const usual = Math.max(min, Math.min(max, Math.max(1, ...parts.map(prefixLength))))
  for (const length of isLean(place) || usual === min ? [min] : [usual, min]) {
    const made = makeItems(parts, { length, min, contained, place }, make)
    if (made !== null) yield made
  }
}

interface ItemsWish {
  readonly length: number
  readonly min: number
  readonly contained: number
  readonly place: Place
}

function makeItems(parts: readonly JsonObject[], wish: ItemsWish, make: Make): JsonValue[] | null {
  const { length, min, contained, place } = wish
  const distinct = parts.some(part => part['uniqueItems'] === true)
  const taken = new Set<string>()
  const made: JsonValue[] = []
  for (let index = 0; index < length; index++) {
    const schema = allItemSchemas(parts, index, contained)
    const item = distinct ? makeDistinct(schema, { place, taken }, make) : make(schema, inside(place))
    if (item === undefined) return made.length >= min ? made : null
    if (distinct) taken.add(canonicalJson(item))
    made.push(item)
  }
  return made
}

function makeDistinct(
  schema: JsonValue,
  { place, taken }: { place: Place; taken: ReadonlySet<string> },
  make: Make,
): JsonValue | undefined {
  for (let more = 0; more <= variantsMax; more++) {
    const variant = place.variant + taken.size + more
    const item = make(schema, { ...inside(place), variant, taken })
    if (item !== undefined) return item
  }
  return undefined
}

/** Everything that the schemas say of the item; those that must be contained come first. */
function allItemSchemas(parts: readonly JsonObject[], index: number, contained: number): JsonValue {
  const schemas = parts.flatMap(part => [
    itemSchema(part, index),
    index < contained && index < leastContained(part) ? part['contains'] : undefined,
  ])
  return allOf(schemas.filter(schema => schema !== undefined))
}
