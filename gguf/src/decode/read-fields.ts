import { invalidField } from '../wire-error.ts'

/** A JSON object as it came: nothing about its fields is known yet. */
export type Fields = Readonly<Record<string, unknown>>

export interface NumberBounds {
  readonly min: number
  readonly max: number
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of a field, where `null` counts as absent, as in OpenAI's API. */
export function readOptional(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined
}

export function readNumber(fields: Fields, name: string, bounds: NumberBounds): number | undefined {
  const value = readOptional(fields, name)
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !(value >= bounds.min && value <= bounds.max)) {
    throw invalidField(name, `${name} must be a number from ${bounds.min} to ${bounds.max}.`)
  }
  return value
}

export function readInteger(fields: Fields, name: string, bounds: NumberBounds): number | undefined {
  const value = readNumber(fields, name, bounds)
  if (value !== undefined && !Number.isSafeInteger(value)) throw invalidField(name, `${name} must be an integer.`)
  return value
}

export function readBoolean(fields: Fields, name: string): boolean | undefined {
  const value = readOptional(fields, name)
  if (value !== undefined && typeof value !== 'boolean') throw invalidField(name, `${name} must be true or false.`)
  return value
}

export function readString(fields: Fields, name: string): string | undefined {
  const value = readOptional(fields, name)
  if (value !== undefined && typeof value !== 'string') throw invalidField(name, `${name} must be a string.`)
  return value
}

export function readFields(fields: Fields, name: string): Fields | undefined {
  const value = readOptional(fields, name)
  if (value !== undefined && !isFields(value)) throw invalidField(name, `${name} must be an object.`)
  return value
}

export function readList(fields: Fields, name: string): readonly unknown[] | undefined {
  const value = readOptional(fields, name)
  if (value !== undefined && !Array.isArray(value)) throw invalidField(name, `${name} must be an array.`)
  return value
}
