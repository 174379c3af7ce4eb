import type { JsonValue } from '../../../../lib/json.ts'

/*
 * Reading what is stored as JSON text. Each function throws RangeError when the value is of another kind: then the row was
 * damaged, or written by a version that is newer than this one.
 */

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (!Array.isArray(value)) throw damaged()
  return value
}

export function textOf(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw damaged()
  return value
}

export function textOrNull(value: JsonValue | undefined): string | null {
  return value === null || value === undefined ? null : textOf(value)
}

export function numberOf(value: JsonValue | undefined): number {
  if (typeof value !== 'number') throw damaged()
  return value
}

export function damaged(): RangeError {
  return new RangeError('a stored text is damaged')
}
