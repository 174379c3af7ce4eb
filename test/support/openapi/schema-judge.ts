import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

interface Content {
  readonly [mediaType: string]: unknown
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly responses: Readonly<Record<string, { readonly content: Content }>> }
}

interface OpenApiOperation {
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>
}

/** Where a schema stands in the document. */
export type Place = readonly string[]

/** Judges values by the schemas of a document. Resolves with what is wrong, in words. */
export interface SchemaJudge {
  judge(place: Place, value: unknown): readonly string[]
}

export function createSchemaJudge(document: object): SchemaJudge {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  // Its types name the default export of a module of another kind.
  ;(formats as unknown as (ajv: Ajv2020) => void)(ajv)
  ajv.addSchema(document, 'document')
  return {
    judge(place, value) {
      const pointer = place.map(step => step.replaceAll('~', '~0').replaceAll('/', '~1')).map(encodeURIComponent)
      const validate = ajv.getSchema(`document#/${pointer.join('/')}`)
      if (validate === undefined) throw new Error(`the document has nothing at ${place.join(' ')}`)
      if (validate(value) === true) return []
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
      )
    },
  }
}

/** The same document, in which no object may hold what it does not name, unless it says so. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]))
  const isOpen = copy['type'] === 'object' && 'properties' in copy && !('additionalProperties' in copy)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}
