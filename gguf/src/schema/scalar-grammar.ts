import type { Fields } from '../decode/read-fields.ts'
import { integerMax, integerRange } from './integer-range.ts'
import { SchemaError } from './schema-scope.ts'

/** llama.cpp unrolls counted repetitions, so their bounds cost memory and time. */
const repetitionMax = 1_000

/** Formats that are kept exactly. Others are annotations, as JSON Schema has it, and change nothing. */
const formats: ReadonlyMap<unknown, string> = new Map([
  ['date', 'date'],
  ['time', 'time'],
  ['date-time', 'date "T" time'],
  ['uuid', 'uuid'],
])

export function stringGrammar(schema: Fields, path: string): string {
  const format = formats.get(schema['format'])
  const min = readCount(schema, 'minLength', path)
  const max = readCount(schema, 'maxLength', path)
  if (max !== undefined && max < (min ?? 0)) throw new SchemaError(`${path}/maxLength`, 'is smaller than minLength')
  if (min === undefined && max === undefined) return format === undefined ? 'json-string' : quoted(format)
  if (format !== undefined) throw new SchemaError(`${path}/format`, 'cannot be combined with a length')
  return quoted(repeat('char', min ?? 0, max))
}

export function integerGrammar(schema: Fields, path: string): string {
  const bound = (keyword: string, otherwise: number): number => {
    const value = schema[keyword] ?? otherwise
    if (typeof value === 'number') return value
    throw new SchemaError(`${path}/${keyword}`, 'must be a number')
  }
  const min = Math.max(
    -integerMax,
    Math.ceil(bound('minimum', -integerMax)),
    Math.floor(bound('exclusiveMinimum', -integerMax - 1)) + 1,
  )
  const max = Math.min(
    integerMax,
    Math.floor(bound('maximum', integerMax)),
    Math.ceil(bound('exclusiveMaximum', integerMax + 1)) - 1,
  )
  if (min > max) throw new SchemaError(path, 'allows no integer of at most 15 digits')
  return integerRange(min, max)
}

/** A count of characters or items. */
export function readCount(schema: Fields, keyword: string, path: string): number | undefined {
  const value = schema[keyword]
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= repetitionMax) return value
  throw new SchemaError(`${path}/${keyword}`, `must be an integer from 0 to ${repetitionMax}`)
}

export function repeat(item: string, min: number, max: number | undefined): string {
  return max === 0 ? '""' : `(${item}){${min},${max ?? ''}}`
}

function quoted(body: string): string {
  return `"\\"" ${body} "\\""`
}
