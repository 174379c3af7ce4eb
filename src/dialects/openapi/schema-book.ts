import { z } from 'zod'
import { type JsonObject, parseJson } from '../../lib/json.ts'

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>
type Context = Parameters<Override>[0]

/**
 * Schemas of code as JSON Schema. Those that have a name (`.meta({ id })`) are written once and referred to.
 */
export class SchemaBook {
  readonly #named = new Map<string, JsonObject>()

  /** The schema itself, or a reference to it. */
  describe(schema: z.ZodType): JsonObject {
    const { $schema: _, $defs = {}, ...written } = z.toJSONSchema(schema, { unrepresentable: 'any', override })
    for (const [name, definition] of Object.entries($defs)) this.#named.set(name, relocate(definition))
    return relocate(written)
  }

  /** Everything that was referred to, by name. */
  get named(): JsonObject {
    return Object.fromEntries([...this.#named].sort(([left], [right]) => (left < right ? -1 : 1)))
  }
}

/** References within one schema become references within the document. */
function relocate(schema: object): JsonObject {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
  return parseJson(text) as JsonObject
}

/** What the translation would leave out, or say more strictly than it is meant. */
function override({ zodSchema, jsonSchema }: Context): void {
  const { def } = (zodSchema as z.core.$ZodTypes)._zod
  delete jsonSchema.id
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  // An object that is not strict may hold more than is told of it.
  if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties
  // The only values that are judged by code alone are objects of the caller's own making.
  if (def.type === 'custom') jsonSchema.type = 'object'
  if (def.type === 'pipe') completePipe(def, jsonSchema)
}

/** A pipe is described by its end. Where that is code, its beginning is; where it is a list, its length stands there. */
function completePipe({ in: from, out }: z.core.$ZodPipeDef, jsonSchema: Context['jsonSchema']): void {
  const { type } = (out as z.core.$ZodTypes)._zod.def
  if (type !== 'transform' && type !== 'array') return
  const { $schema: _, items: _items, ...written } = z.toJSONSchema(from, { unrepresentable: 'any', override })
  Object.assign(jsonSchema, written)
}
