import type { JsonValue } from '../../../../lib/json.ts'
import type { SchemaScope } from './schema-scope.ts'

/** Where in an instance a value is made. */
export interface Place {
  readonly scope: SchemaScope
  /** 0 for the instance itself. */
  readonly depth: number
  /** Different numbers give different values where the schema allows it. */
  readonly variant: number
  /** Spellings of values that are taken already, where all have to differ. */
  readonly taken?: ReadonlySet<string>
}

/** Makes the value of a part of a schema; undefined when none is found. */
export type Make = (schema: JsonValue, place: Place) => JsonValue | undefined

/** From this depth on only what must be there is made, which ends every recursion that can end. */
const leanDepth = 5

export function isLean({ scope, depth }: Place): boolean {
  return depth >= leanDepth || scope.isShort
}

export function inside({ scope, depth, variant }: Place): Place {
  return { scope, depth: depth + 1, variant }
}

/** One schema for all of them. */
export function allOf(schemas: readonly JsonValue[]): JsonValue {
  const [only = true, ...others] = schemas
  return others.length === 0 ? only : { allOf: [...schemas] }
}
