import { formatUsd } from '../../../core/money.ts'

/** A value of JSON in which an amount of nano-USD is a `bigint`. */
export type ExactJson = null | boolean | number | string | bigint | readonly ExactJson[] | ExactObject

export interface ExactObject {
  readonly [name: string]: ExactJson
}

/**
 * JSON text in which amounts are number literals in USD. A literal made from nano-USD is exact; a floating-point number on
 * the way would not be.
 */
export function exactJson(value: ExactJson): string {
  if (typeof value === 'bigint') return formatUsd(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(exactJson).join(',')}]`
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`)
    .join(',')}}`
}

function isList(value: readonly ExactJson[] | ExactObject): value is readonly ExactJson[] {
  return Array.isArray(value)
}
