import { isFields } from '../decode/read-fields.ts'

const rulesMax = 2_000

/** Where in the schema a part stands. */
export interface Place {
  /** JSON pointer; empty for the root. */
  readonly path: string
  readonly depth: number
}

/** A schema that no grammar can keep, or that is no schema. */
export class SchemaError extends Error {
  constructor(path: string, reason: string) {
    super(`${path === '' ? 'The schema' : `The schema's ${path}`} ${reason}.`)
    this.name = 'SchemaError'
  }
}

/** What one compilation gathers. */
export interface Scope {
  readonly document: unknown
  /** GBNF rules by name. */
  readonly rules: Map<string, string>
  /** Names of the rules of referenced schemas. */
  readonly references: Map<string, string>
  /** GBNF for a schema inside this one. */
  readonly compile: (scope: Scope, schema: unknown, place: Place) => string
}

export function createScope(document: unknown, compile: Scope['compile']): Scope {
  return { document, rules: new Map(), references: new Map(), compile }
}

export function step(place: Place, name: string): Place {
  return { path: `${place.path}/${name}`, depth: place.depth + 1 }
}

/** Adds a rule and returns its name. */
export function addRule(scope: Scope, body: string, path: string): string {
  if (scope.rules.size >= rulesMax) throw new SchemaError(path, 'is too large')
  const name = `rule-${scope.rules.size}`
  scope.rules.set(name, body)
  return name
}

/** The schema that a reference such as `#/$defs/address` points at. */
export function resolvePointer(document: unknown, reference: string, path: string): unknown {
  let target = document
  for (const part of reference.slice(1).split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isFields(target) || !Object.hasOwn(target, name)) throw new SchemaError(path, 'points at nothing')
    target = target[name]
  }
  return target
}
