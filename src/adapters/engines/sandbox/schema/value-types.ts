import type { JsonObject } from '../../../../lib/json.ts'
import { readTypes } from './keywords.ts'

const valueTypes = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const

export type ValueType = (typeof valueTypes)[number]

/** Keywords that say what kind of value is meant where no `type` does. */
const hints: readonly (readonly [ValueType, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'propertyNames']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** The types that all of the schemas allow, those first that were probably meant. */
export function commonTypes(parts: readonly JsonObject[]): readonly ValueType[] {
  const lists = parts.map(readTypes).filter(list => list !== undefined)
  const first = lists[0]
  const ordered = first === undefined ? [...hintedTypes(parts), ...valueTypes] : valueTypes.filter(isNamedIn(first))
  const wanted =
    first === undefined ? ordered : ordered.sort((left, right) => placeIn(first, left) - placeIn(first, right))
  return [...new Set(wanted)].filter(type => lists.every(list => isNamedIn(list)(type)))
}

function hintedTypes(parts: readonly JsonObject[]): readonly ValueType[] {
  return hints
    .filter(([, keywords]) => parts.some(part => keywords.some(keyword => Object.hasOwn(part, keyword))))
    .map(([type]) => type)
}

/** Every integer is a number. */
function isNamedIn(list: readonly string[]): (type: ValueType) => boolean {
  return type => list.includes(type) || (type === 'integer' && list.includes('number'))
}

function placeIn(list: readonly string[], type: ValueType): number {
  const place = list.indexOf(type)
  return place === -1 ? list.length : place
}
