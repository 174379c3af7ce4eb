import { type Fields, isFields } from '../decode/read-fields.ts'
import { arrayGrammar } from './array-grammar.ts'
import { refuseOverlap } from './disjoint-schemas.ts'
import { describeRules, jsonRules } from './json-rules.ts'
import { objectGrammar } from './object-grammar.ts'
import { integerGrammar, stringGrammar } from './scalar-grammar.ts'
import { matchesType, refuseUnknownKeywords, schemaTypes } from './schema-keywords.ts'
import { addRule, createScope, type Place, resolvePointer, SchemaError, type Scope, step } from './schema-scope.ts'

const depthMax = 32

/**
 * JSON Schema → GBNF whose every text is an instance of the schema, in compact JSON with optional single spaces.
 * It may be narrower than the schema (properties come in the schema's order, integers have at most 15 digits, an
 * object with `properties` gets no others), never wider: a keyword that the grammar cannot keep is refused.
 * @throws SchemaError with the place of the keyword at fault.
 */
export function compileSchemaGrammar(schema: unknown): string {
  const scope = createScope(schema, compile)
  const root = compile(scope, schema, { path: '', depth: 0 })
  return describeRules(new Map([['root', root], ...scope.rules, ...jsonRules]))
}

function compile(scope: Scope, schema: unknown, place: Place): string {
  if (place.depth > depthMax) throw new SchemaError(place.path, `is nested deeper than ${depthMax}`)
  if (schema === true) return 'json-value'
  if (!isFields(schema)) throw new SchemaError(place.path, 'must be an object')
  refuseUnknownKeywords(schema, place.path)
  if ('$ref' in schema) return compileReference(scope, schema['$ref'], place)
  if ('const' in schema) return compileValues([schema['const']], schema, place)
  if ('enum' in schema) return compileValues(schema['enum'], schema, place)
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    if (keyword in schema) return compileParts(scope, schema[keyword], { ...step(place, keyword), keyword })
  }
  return choose(schemaTypes(schema, place.path).map(type => compileType(scope, { type, schema }, place)))
}

function compileType(scope: Scope, { type, schema }: { type: string; schema: Fields }, place: Place): string {
  switch (type) {
    case 'object':
      return objectGrammar(scope, schema, place)
    case 'array':
      return arrayGrammar(scope, schema, place)
    case 'string':
      return stringGrammar(schema, place.path)
    case 'integer':
      return integerGrammar(schema, place.path)
    default:
      return `json-${type}`
  }
}

/** A referenced schema becomes a rule of its own, named before it is compiled, so that recursion ends. */
function compileReference(scope: Scope, reference: unknown, place: Place): string {
  const at = step(place, '$ref')
  if (typeof reference !== 'string' || !reference.startsWith('#')) {
    throw new SchemaError(at.path, 'must point inside the schema (#/...)')
  }
  const known = scope.references.get(reference)
  if (known !== undefined) return known
  const target = resolvePointer(scope.document, reference, at.path)
  const name = addRule(scope, '', at.path)
  scope.references.set(reference, name)
  scope.rules.set(name, compile(scope, target, { path: reference.slice(1), depth: at.depth }))
  return name
}

function compileValues(values: unknown, schema: Fields, place: Place): string {
  const allowed = Array.isArray(values) ? values.filter(value => matchesType(value, schema, place.path)) : []
  if (allowed.length === 0) throw new SchemaError(place.path, 'allows no value')
  // JSON's escapes are those of GBNF, so a second JSON encoding quotes the first.
  return choose(allowed.map(value => JSON.stringify(JSON.stringify(value))))
}

function compileParts(scope: Scope, parts: unknown, place: Place & { readonly keyword: string }): string {
  if (!Array.isArray(parts) || parts.length === 0) throw new SchemaError(place.path, 'must be a list of schemas')
  if (place.keyword === 'allOf' && parts.length > 1) {
    throw new SchemaError(place.path, 'with more than one schema is not supported')
  }
  if (place.keyword === 'oneOf') refuseOverlap(scope.document, parts, place.path)
  return choose(parts.map((part, index) => compile(scope, part, step(place, String(index)))))
}

function choose(alternatives: readonly string[]): string {
  return alternatives.length === 1 ? alternatives.join('') : `(${alternatives.join(' | ')})`
}
