import type { JsonObject, JsonValue } from '../../../../lib/json.ts'
import { checkSchema, readList, readText } from './keywords.ts'
import { heightOf } from './schema-height.ts'
import { SchemaRefused } from './schema-refused.ts'
import type { SchemaScope } from './schema-scope.ts'

/** References and combinations that are followed without getting deeper into the instance. */
const nestingMax = 32

/** Schemas in one `allOf`, and in one `anyOf` or `oneOf`. */
const allOfMax = 64
const branchesMax = 1_000

export interface FlattenOptions {
  readonly scope: SchemaScope
  /** The simplest of the alternatives come first, instead of the first ones. */
  readonly simplestFirst: boolean
}

/**
 * The ways to satisfy a schema, each as a list of schemas that must all hold and whose combinations (`$ref`, `allOf`,
 * `anyOf`, `oneOf`, `if`) need no more attention. What a combination excludes is not considered: instances are judged
 * afterwards.
 */
export function* flattenSchema(
  part: JsonValue,
  options: FlattenOptions,
  nesting = 0,
): Generator<readonly JsonObject[]> {
  options.scope.spend()
  const schema = checkSchema(part)
  if (schema === false || nesting > nestingMax) return
  if (schema === true) return yield []
  for (const combined of combine(alternativesOf(schema, options), options, nesting + 1)) yield [schema, ...combined]
}

/** One list of alternatives for everything in a schema that must hold beside its own keywords. */
function alternativesOf(schema: JsonObject, { scope, simplestFirst }: FlattenOptions): (readonly JsonValue[])[] {
  const reference = readText(schema, '$ref')
  const all = readList(schema, 'allOf') ?? []
  const branches = ['anyOf', 'oneOf'].map(keyword => readList(schema, keyword)).filter(list => list !== undefined)
  if (all.length > allOfMax || branches.some(list => list.length > branchesMax))
    throw new SchemaRefused('combines too many schemas')
  return [
    ...(reference === undefined ? [] : [[scope.resolve(reference)]]),
    ...all.map(part => [part]),
    ...branches.map(list => (simplestFirst ? sortByHeight(list, scope) : list)),
    ...(schema['if'] === undefined ? [] : [conditionBranches(schema, schema['if'])]),
  ]
}

function conditionBranches(schema: JsonObject, condition: JsonValue): readonly JsonValue[] {
  return [{ allOf: [condition, schema['then'] ?? true] }, schema['else'] ?? true]
}

function sortByHeight(list: readonly JsonValue[], scope: SchemaScope): readonly JsonValue[] {
  const heights = list.map(part => ({ part, height: heightOf(part, scope) }))
  return heights.sort((left, right) => (left.height < right.height ? -1 : 1)).map(({ part }) => part)
}

function* combine(
  groups: readonly (readonly JsonValue[])[],
  options: FlattenOptions,
  nesting: number,
): Generator<readonly JsonObject[]> {
  const [first, ...rest] = groups
  if (first === undefined) return yield []
  for (const part of first) {
    for (const flat of flattenSchema(part, options, nesting)) {
      for (const others of combine(rest, options, nesting)) {
        options.scope.spend(flat.length + others.length)
        yield [...flat, ...others]
      }
    }
  }
}
