import type { z } from 'zod'
import type { RequestIssue } from '../../../../core/gateway-error.ts'
import type { JsonValue } from '../../../../lib/json.ts'
import {
  type Bound,
  custom,
  notFinite,
  outOfBounds,
  unknownKeys,
  type Wording,
  wrongDiscriminator,
  wrongEnum,
  wrongLiteral,
  wrongString,
  wrongType,
  wrongUnion,
} from './issue-wording.ts'

type SchemaIssue = z.core.$ZodIssue
export type Path = readonly (string | number)[]

/**
 * What a schema found wrong with `root`, which stands at `base` in the body, as this surface tells it: in the shape of
 * zod 3, whose issues its clients read (venice.md §4.1).
 */
export function requestIssues(issue: SchemaIssue, root: unknown, base: Path): readonly RequestIssue[] {
  if (isOfAllIntegers(issue)) return []
  const path = issue.path.map(step => (typeof step === 'symbol' ? String(step) : step))
  const value = valueAt(root, path)
  const meant = issue.code === 'invalid_union' ? meantBranch(issue.errors) : null
  if (meant !== null) return meant.flatMap(inner => requestIssues(inner, value, [...base, ...path]))
  return [{ ...wordingOf(issue, value), path: [...base, ...path] }]
}

/** A number beyond all exact integers is beyond the field's own bound too, which is what a caller is told. */
function isOfAllIntegers(issue: SchemaIssue): boolean {
  return (issue.code === 'too_big' || issue.code === 'too_small') && 'note' in issue
}

/** Of a union's alternatives, the one whose kind the value has: something inside of it is wrong. */
function meantBranch(branches: readonly SchemaIssue[][]): readonly SchemaIssue[] | null {
  return branches.find(branch => branch.some(isInside)) ?? null
}

function isInside(issue: SchemaIssue): boolean {
  return issue.path.length > 0 || issue.code !== 'invalid_type'
}

function wordingOf(issue: SchemaIssue, value: unknown): Wording {
  switch (issue.code) {
    case 'invalid_type':
      return wordType(issue.expected, value)
    case 'invalid_value':
      return wordValue(issue.values as JsonValue[], value)
    case 'too_big':
      return wordBound('too_big', issue.origin, [Number(issue.maximum), issue.inclusive ?? true])
    case 'too_small':
      return wordBound('too_small', issue.origin, [Number(issue.minimum), issue.inclusive ?? true])
    case 'unrecognized_keys':
      return unknownKeys(issue.keys)
    case 'invalid_union':
      return wordUnion(issue, value)
    case 'invalid_format':
      return wrongString(issue.format, issue.message)
    default:
      return wordCustom(issue, value)
  }
}

function wordType(expected: string, value: unknown): Wording {
  if (typeof value !== 'number') return wrongType(expected === 'int' ? 'number' : expected, value)
  if (!Number.isFinite(value)) return notFinite()
  if (expected !== 'int') return wrongType(expected, value)
  const message = 'Expected integer, received float'
  return { message, facts: { code: 'invalid_type', expected: 'integer', received: 'float' } }
}

function wordValue(values: readonly JsonValue[], value: unknown): Wording {
  const [only, ...others] = values
  if (only !== undefined && others.length === 0) return wrongLiteral(only, value)
  return wrongEnum(values.map(String), value)
}

function wordBound(
  code: Bound['code'],
  origin: string,
  [limit, inclusive]: readonly [limit: number, inclusive: boolean],
): Wording {
  const type = origin === 'string' || origin === 'array' ? origin : 'number'
  return outOfBounds({ code, type, limit, inclusive })
}

function wordUnion(issue: Extract<SchemaIssue, { code: 'invalid_union' }>, value: unknown): Wording {
  const { options } = issue as { readonly options?: unknown }
  if (Array.isArray(options)) return wrongDiscriminator(options.map(String))
  const expected = issue.errors.flatMap(branch => branch.map(inner => String('expected' in inner && inner.expected)))
  return wrongUnion(expected, value)
}

/** A check of our own may say which kind of value it wants; else it has said everything. */
function wordCustom(issue: SchemaIssue, value: unknown): Wording {
  const expected = issue.code === 'custom' ? issue.params?.['expected'] : undefined
  return typeof expected === 'string' ? wrongType(expected, value) : custom(issue.message)
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}
