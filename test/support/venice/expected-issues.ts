/** Issues in the shape of zod 3, written down independently of the code that makes them (venice.md §4.1). */

export type ExpectedIssue = Readonly<Record<string, unknown>> & { readonly code: string; readonly message: string }

export function tooBig(maximum: number, type: 'number' | 'array' | 'string' = 'number'): ExpectedIssue {
  const message = {
    number: `Number must be less than or equal to ${maximum}`,
    array: `Array must contain at most ${maximum} element(s)`,
    string: `String must contain at most ${maximum} character(s)`,
  }[type]
  return { code: 'too_big', maximum, type, inclusive: true, exact: false, message }
}

export function tooSmall(minimum: number, type: 'number' | 'array' | 'string' = 'number'): ExpectedIssue {
  const message = {
    number: `Number must be greater than or equal to ${minimum}`,
    array: `Array must contain at least ${minimum} element(s)`,
    string: `String must contain at least ${minimum} character(s)`,
  }[type]
  return { code: 'too_small', minimum, type, inclusive: true, exact: false, message }
}

export function notAbove(minimum: number): ExpectedIssue {
  const message = `Number must be greater than ${minimum}`
  return { code: 'too_small', minimum, type: 'number', inclusive: false, exact: false, message }
}

export function wrongType(expected: string, received: string): ExpectedIssue {
  return { code: 'invalid_type', expected, received, message: `Expected ${expected}, received ${received}` }
}

export function required(expected: string): ExpectedIssue {
  return { code: 'invalid_type', expected, received: 'undefined', message: 'Required' }
}

export const fraction: ExpectedIssue = wrongType('integer', 'float')
export const infinite: ExpectedIssue = { code: 'not_finite', message: 'Number must be finite' }

export function notOneOf(options: readonly string[], received: string): ExpectedIssue {
  const expected = options.map(option => `'${option}'`).join(' | ')
  const message = `Invalid enum value. Expected ${expected}, received '${received}'`
  return { code: 'invalid_enum_value', options, received, message }
}

export function noForm(options: readonly string[]): ExpectedIssue {
  const expected = options.map(option => `'${option}'`).join(' | ')
  return { code: 'invalid_union_discriminator', options, message: `Invalid discriminator value. Expected ${expected}` }
}

export function neither(expected: readonly string[], received: string): ExpectedIssue {
  return { code: 'invalid_union', received, message: `Expected ${expected.join(' or ')}, received ${received}` }
}

export function unknownKeys(...keys: readonly string[]): ExpectedIssue {
  const message = `Unrecognized key(s) in object: ${keys.map(key => `'${key}'`).join(', ')}`
  return { code: 'unrecognized_keys', keys, message }
}

export function saying(message: string): ExpectedIssue {
  return { code: 'custom', message }
}

/** A value that is refused, what is wrong with it, and where inside of it. */
export type Refusal = readonly [value: unknown, issue: ExpectedIssue, ...inside: (string | number)[]]

/** The same as rows of a table. */
export function rowsOf(refusals: readonly Refusal[]) {
  return refusals.map(([value, issue, ...inside]) => ({ value, issue, inside }))
}
