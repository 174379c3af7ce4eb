import { type Fields, isFields } from '../decode/read-fields.ts'
import { schemaTypes } from './schema-keywords.ts'
import { resolvePointer, SchemaError } from './schema-scope.ts'

/**
 * `oneOf` wants exactly one of its schemas to match, which a grammar cannot count. It is kept only where no value can
 * match two: the types differ, or a required property has different constants (a discriminated union).
 * @throws SchemaError that advises `anyOf`.
 */
export function refuseOverlap(document: unknown, parts: readonly unknown[], path: string): void {
  const resolved = parts.map((part, index) => resolve(document, part, `${path}/${index}`))
  for (const [index, part] of resolved.entries()) {
    const clash = resolved.slice(index + 1).find(other => !areDisjoint(part, other, path))
    if (clash !== undefined) throw new SchemaError(path, 'has schemas that may match the same value; use anyOf')
  }
}

/** Follows a reference one step: what discriminated unions are made of. */
function resolve(document: unknown, part: unknown, path: string): Fields {
  const reference = isFields(part) ? part['$ref'] : undefined
  const target = typeof reference === 'string' ? resolvePointer(document, reference, path) : part
  if (!isFields(target)) throw new SchemaError(path, 'must be an object')
  return target
}

function areDisjoint(one: Fields, other: Fields, path: string): boolean {
  const [left, right] = [constants(one), constants(other)]
  if (left !== undefined && right !== undefined) return !left.some(value => right.includes(value))
  if (!('type' in one) || !('type' in other)) return false
  const types = new Set(schemaTypes(one, path).map(widen))
  if (!schemaTypes(other, path).some(type => types.has(widen(type)))) return true
  return types.size === 1 && types.has('object') && haveDifferentTags(one, other)
}

function haveDifferentTags(one: Fields, other: Fields): boolean {
  const [left, right] = [tags(one), tags(other)]
  return [...left].some(([name, values]) => {
    const others = right.get(name)
    return others !== undefined && !values.some(value => others.includes(value))
  })
}

/** Required properties that allow only constants, with those constants as JSON. */
function tags(schema: Fields): ReadonlyMap<string, readonly string[]> {
  const properties = isFields(schema['properties']) ? schema['properties'] : {}
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  const found = new Map<string, readonly string[]>()
  for (const [name, property] of Object.entries(properties)) {
    const values = isFields(property) ? constants(property) : undefined
    if (values !== undefined && required.includes(name)) found.set(name, values)
  }
  return found
}

function constants(schema: Fields): readonly string[] | undefined {
  if ('const' in schema) return [JSON.stringify(schema['const'])]
  return Array.isArray(schema['enum']) ? schema['enum'].map(value => JSON.stringify(value)) : undefined
}

/** Every integer is a number. */
function widen(type: string): string {
  return type === 'integer' ? 'number' : type
}
