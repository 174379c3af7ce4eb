import type { JsonValue } from '../../../../lib/json.ts'
import { makeValue } from './make-value.ts'
import { SchemaRefused } from './schema-refused.ts'
import { SchemaScope } from './schema-scope.ts'

/**
 * Makes a valid instance of a JSON Schema: the same one each time; other variants differ where the schema allows it.
 * Declared properties are all there down to a depth, recursion ends as soon as it may.
 * @throws SchemaRefused when there is no instance, when the schema uses what is not known here, or is too much work
 */
export function makeInstance(schema: JsonValue, variant = 0): JsonValue {
  const instance = makeValue(schema, { scope: new SchemaScope(schema), depth: 0, variant })
  if (instance === undefined) throw new SchemaRefused('has no instance that the test mode can find')
  return instance
}
