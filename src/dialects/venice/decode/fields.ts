import { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'

/**
 * The kinds of field that requests are made of. What may be left out may also be `null`, which says the same
 * (venice.md §19).
 */

/** 2^31: the bound of whole numbers for which the contract names none (venice.md §19). */
const integerMax = 2_147_483_648

export function number(min: number, max: number) {
  return z.number().min(min).max(max).nullish()
}

/** Every whole number has a largest value, so that none stops being exact. */
export function whole(min: number, max: number = integerMax) {
  return z.int().min(min).max(max).nullish()
}

export function text() {
  return z.string().nullish()
}

export function flag() {
  return z.boolean().nullish()
}

export function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words).nullish()
}

/** The length is judged before the items are, so that a list of a million faults costs no more than one. */
export function list<Item extends z.ZodType>(item: Item, [min, max]: readonly [min: number, max: number]) {
  return z.array(z.unknown()).min(min).max(max).pipe(z.array(item))
}

/** An object of the caller's own making, such as a JSON Schema. It is neither looked into nor copied. */
export function anyObject() {
  return z.custom<JsonObject>(value => isJsonObject(value as JsonValue), { params: { expected: 'object' } })
}

/** The members that were given: absent and null ones are left out. Called for each message, so it makes one object only. */
export function given(members: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const present: JsonObject = {}
  for (const name in members) {
    const value = members[name]
    if (value !== undefined && value !== null) present[name] = value
  }
  return present
}
