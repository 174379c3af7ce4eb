import type { JsonValue } from '../../../../lib/json.ts'

/** What is wrong with one value: the sentence, and the facts that stand beside it in the shape of zod 3. */
export interface Wording {
  readonly message: string
  readonly facts: Readonly<Record<string, JsonValue>>
}

/** What a caller sent is quoted no longer than this. */
const quoteCharactersMax = 64
const namedKeysMax = 20
/** What a cut leaves of a character of two units. */
const halfCharacter = /[\ud800-\udbff]$/

export function wrongType(expected: string, value: unknown): Wording {
  const received = kindOf(value)
  return {
    message: value === undefined ? 'Required' : `Expected ${expected}, received ${received}`,
    facts: { code: 'invalid_type', expected, received },
  }
}

/** None of the kinds of value that would do. */
export function wrongUnion(expected: readonly string[], value: unknown): Wording {
  const { message } = wrongType(expected.join(' or '), value)
  return { message, facts: { code: 'invalid_union', received: kindOf(value) } }
}

/** A word that is not in the list, or no word at all. */
export function wrongEnum(options: readonly string[], value: unknown): Wording {
  const expected = alternatives(options)
  if (typeof value !== 'string') return wrongType(expected, value)
  const received = quote(value)
  return {
    message: `Invalid enum value. Expected ${expected}, received '${received}'`,
    facts: { code: 'invalid_enum_value', received, options: [...options] },
  }
}

export function wrongLiteral(expected: JsonValue, value: unknown): Wording {
  const received = typeof value === 'string' ? { received: quote(value) } : {}
  return {
    message: `Invalid literal value, expected ${JSON.stringify(expected)}`,
    facts: { code: 'invalid_literal', expected, ...received },
  }
}

/** The member that decides which shape an object has names none. */
export function wrongDiscriminator(options: readonly string[]): Wording {
  return {
    message: `Invalid discriminator value. Expected ${alternatives(options)}`,
    facts: { code: 'invalid_union_discriminator', options: [...options] },
  }
}

export interface Bound {
  readonly code: 'too_big' | 'too_small'
  readonly type: 'number' | 'string' | 'array'
  readonly limit: number
  readonly inclusive: boolean
}

export function outOfBounds(bound: Bound): Wording {
  const { code, type, limit, inclusive } = bound
  const limits = code === 'too_big' ? { maximum: limit } : { minimum: limit }
  return { message: boundSentence(bound), facts: { code, ...limits, type, inclusive, exact: false } }
}

function boundSentence({ code, type, limit, inclusive }: Bound): string {
  const isBig = code === 'too_big'
  if (type === 'number') {
    const relation = isBig ? 'less than' : 'greater than'
    return `Number must be ${relation} ${inclusive ? 'or equal to ' : ''}${limit}`
  }
  const amount = `${isBig ? 'at most' : 'at least'} ${limit}`
  return type === 'string' ? `String must contain ${amount} character(s)` : `Array must contain ${amount} element(s)`
}

export function unknownKeys(keys: readonly string[]): Wording {
  const named = keys.slice(0, namedKeysMax).map(quote)
  const rest = keys.length > named.length ? ` and ${keys.length - named.length} more` : ''
  return {
    message: `Unrecognized key(s) in object: ${named.map(key => `'${key}'`).join(', ')}${rest}`,
    facts: { code: 'unrecognized_keys', keys: named },
  }
}

export function notFinite(): Wording {
  return { message: 'Number must be finite', facts: { code: 'not_finite' } }
}

export function wrongString(validation: string, message: string): Wording {
  return { message, facts: { code: 'invalid_string', validation } }
}

export function custom(message: string): Wording {
  return { message, facts: { code: 'custom' } }
}

/** A caller's text, cut so that no answer grows with it. */
function quote(text: string): string {
  return text.length <= quoteCharactersMax ? text : `${text.slice(0, quoteCharactersMax).replace(halfCharacter, '')}…`
}

function alternatives(options: readonly string[]): string {
  return options.map(option => `'${option}'`).join(' | ')
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
