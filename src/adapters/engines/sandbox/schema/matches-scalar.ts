import { countCodePoints } from '../../../../lib/code-points.ts'
import type { JsonObject } from '../../../../lib/json.ts'
import { isMultiple } from './decimal.ts'
import { readCount, readNumber, readText } from './keywords.ts'
import { matchesPattern } from './match-pattern.ts'
import { SchemaRefused } from './schema-refused.ts'
import type { SchemaScope } from './schema-scope.ts'

export function matchesNumber(value: number, schema: JsonObject): boolean {
  const step = readStep(schema)
  return (
    value >= (readNumber(schema, 'minimum') ?? Number.NEGATIVE_INFINITY) &&
    value <= (readNumber(schema, 'maximum') ?? Number.POSITIVE_INFINITY) &&
    value > (readNumber(schema, 'exclusiveMinimum') ?? Number.NEGATIVE_INFINITY) &&
    value < (readNumber(schema, 'exclusiveMaximum') ?? Number.POSITIVE_INFINITY) &&
    (step === undefined || isMultiple(value, step))
  )
}

/** `multipleOf`, which is above 0. */
export function readStep(schema: JsonObject): number | undefined {
  const step = readNumber(schema, 'multipleOf')
  if (step !== undefined && step <= 0) throw new SchemaRefused('needs a number above 0 for `multipleOf`')
  return step
}

export function matchesString(value: string, schema: JsonObject, scope: SchemaScope): boolean {
  const length = countCodePoints(value)
  const pattern = readText(schema, 'pattern')
  return (
    length >= (readCount(schema, 'minLength') ?? 0) &&
    length <= (readCount(schema, 'maxLength') ?? Number.POSITIVE_INFINITY) &&
    (pattern === undefined || matchesPattern(scope.pattern(pattern), value, scope))
  )
}
