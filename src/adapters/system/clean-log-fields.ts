import type { LogFields } from '../../core/logger.ts'
import { Secret } from '../../lib/secret.ts'

const redacted = '[redacted]'
const secretName = /authorization|cookie|secret|password|credential|token|key/i
/** Names of keys, not keys. */
const harmlessNames = new Set(['keyId', 'keyType'])
/** Credentials that slipped into a text: a bearer header, or a key of the common forms. */
const secretText = /\bbearer\s+[^\s",]+|\b(?:sk|vk|pk|rk)-[A-Za-z0-9_-]{16,}/gi
/** What the line itself says. */
const reservedNames = new Set(['level', 'time', 'event'])

const depthMax = 4
const membersMax = 40
const valuesMax = 200
const textMax = 1_024
const nameMax = 100

export interface CleanOptions {
  /** Whether errors show where they were thrown: for an operator who asked for every detail. */
  readonly showStacks: boolean
}

/**
 * Makes plain, bounded data of log fields: nothing under a secret's name (numbers and booleans apart, which count or
 * answer), no credential inside a text, errors as name, message, code and cause, and no more than a line can hold.
 */
export function cleanLogFields(fields: LogFields, options: CleanOptions): Record<string, unknown> {
  const cleaner = new Cleaner(options)
  try {
    return cleaner.members(fields, 1)
  } catch {
    // A getter of somebody's object threw. What happened is still worth its line.
    return { fieldsUnreadable: true }
  }
}

class Cleaner {
  readonly #options: CleanOptions
  #values = 0

  constructor(options: CleanOptions) {
    this.#options = options
  }

  members(source: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
    const clean: Record<string, unknown> = {}
    const names = Object.keys(source)
    for (const name of names.length > membersMax ? names.slice(0, membersMax) : names) {
      const value = source[name]
      const shown = isSecret(name, value) ? redacted : this.#value(value, depth)
      if (shown !== undefined && name !== '__proto__') clean[nameOf(name, depth)] = shown
    }
    if (names.length > membersMax) clean['left_out'] = names.length - membersMax
    return clean
  }

  #value(value: unknown, depth: number): unknown {
    this.#values += 1
    if (this.#values > valuesMax) return undefined
    if (typeof value === 'string') return cleanText(value)
    if (typeof value === 'bigint') return value.toString()
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
    if (typeof value !== 'object') return value === undefined ? undefined : `[${typeof value}]`
    if (value instanceof Secret) return value.toString()
    if (value instanceof Error) return this.#error(value, depth)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
    if (depth >= depthMax) return '[object]'
    if (Array.isArray(value) || value instanceof Set) return this.#list([...value], depth)
    return this.members(value instanceof Map ? namedMembers(value) : { ...value }, depth + 1)
  }

  #list(items: readonly unknown[], depth: number): readonly unknown[] {
    const clean = items.slice(0, membersMax).map(item => this.#value(item, depth + 1))
    return items.length > membersMax ? [...clean, `… ${items.length - membersMax} more`] : clean
  }

  #error(error: Error, depth: number): Record<string, unknown> {
    const code = 'code' in error && typeof error.code === 'string' ? { code: cleanText(error.code) } : {}
    const cause = error.cause !== undefined && depth < depthMax ? { cause: this.#value(error.cause, depth + 1) } : {}
    const stack = this.#options.showStacks && error.stack !== undefined ? { stack: cleanText(error.stack) } : {}
    return { name: error.name, message: cleanText(error.message), ...code, ...cause, ...stack }
  }
}

/** Numbers and booleans under such a name count tokens or say whether there is a key. */
function isSecret(name: string, value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return false
  return isSecretName(name)
}

/** Nearly all names are words of the code, asked for again with every line. */
const knownNames = new Map<string, boolean>()
const knownNamesMax = 1_000

function isSecretName(name: string): boolean {
  const known = knownNames.get(name)
  if (known !== undefined) return known
  const isSecretly = secretName.test(name) && !harmlessNames.has(name)
  if (knownNames.size < knownNamesMax) knownNames.set(name, isSecretly)
  return isSecretly
}

/** The outermost names must not be taken for what the line itself says. */
function nameOf(name: string, depth: number): string {
  if (depth === 1 && reservedNames.has(name)) return `${name}_`
  return name.length > nameMax ? name.slice(0, nameMax) : name
}

function cleanText(text: string): string {
  const short = text.length > textMax ? `${text.slice(0, textMax)}…` : text
  return short.replace(secretText, redacted)
}

function namedMembers(map: ReadonlyMap<unknown, unknown>): Record<string, unknown> {
  return Object.fromEntries([...map].map(([name, value]) => [String(name), value] as const))
}
