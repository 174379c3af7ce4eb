import { isJsonObject, type JsonValue } from '../../../../lib/json.ts'

/** JSON text in which equal values are spelled alike: members are sorted by name. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).sort()
  return `{${members.map(name => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join(',')}}`
}

/** Equality as JSON Schema means it. */
export function isEqualJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true
  const comparable = typeof left === 'object' && typeof right === 'object' && left !== null && right !== null
  return comparable && canonicalJson(left) === canonicalJson(right)
}
