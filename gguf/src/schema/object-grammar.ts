import { type Fields, isFields } from '../decode/read-fields.ts'
import { addRule, type Place, SchemaError, type Scope, step } from './schema-scope.ts'

interface Member {
  readonly required: boolean
  /** Name of the rule for `"key": value`. */
  readonly pair: string
}

/**
 * GBNF for an object. Declared properties come in the schema's order, optional ones may be missing, and no others are
 * added: a name made up by the model could repeat a declared one with a value of the wrong type.
 */
export function objectGrammar(scope: Scope, schema: Fields, place: Place): string {
  const properties = schema['properties']
  const declared = isFields(properties) ? Object.entries(properties) : []
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  const at = step(place, 'properties')
  const members = declared.map(([name, value]): Member => {
    const body = `${JSON.stringify(JSON.stringify(name))} colon ${scope.compile(scope, value, step(at, name))}`
    return { required: required.delete(name), pair: addRule(scope, body, at.path) }
  })
  if (required.size > 0) throw new SchemaError(`${place.path}/required`, 'names what is not in properties')
  if (members.length > 0) return addRule(scope, `"{" space ${chain(scope, members, place)} space "}"`, place.path)
  return openObjectGrammar(scope, schema, place)
}

function openObjectGrammar(scope: Scope, schema: Fields, place: Place): string {
  const additional = schema['additionalProperties'] ?? true
  if (additional === false) return '"{" space "}"'
  const at = step(place, 'additionalProperties')
  const pair = addRule(scope, `json-string colon ${scope.compile(scope, additional, at)}`, at.path)
  return addRule(scope, `"{" space (${pair} (comma ${pair})*)? space "}"`, place.path)
}

/**
 * All ways to leave optional members out, with the commas right. Each member has two rules: one for when nothing stands
 * before it, one for when something does.
 */
function chain(scope: Scope, members: readonly Member[], place: Place): string {
  let first = '""'
  let next = '""'
  for (const { required, pair } of members.toReversed()) {
    const withIt = `${pair} ${next}`
    first = addRule(scope, required ? withIt : `${withIt} | ${first}`, place.path)
    next = addRule(scope, required ? `comma ${withIt}` : `comma ${withIt} | ${next}`, place.path)
  }
  return first
}
