import { isExactNumber } from './exact-number.ts'
import { type Path, pathKey } from './path.ts'

/** Gives the value of an environment variable, or undefined when it is not set. */
export type Lookup = (name: string) => string | undefined

interface ReferenceFault {
  readonly path: Path
  readonly message: string
}

export interface Resolved {
  readonly value: unknown
  /** By path key: texts that were nothing but a reference, so that they may stand for a number or a boolean as well. */
  readonly references: ReadonlyMap<string, string>
  readonly faults: readonly ReferenceFault[]
}

/** `$${` is a literal `${`; `${NAME}` and `${NAME:-default}` are references; any other `${` is a mistake. */
const referencePattern = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]{0,127})(?::-([^}]*))?\})?/g
const wholePattern = /^\$\{[A-Za-z_][A-Za-z0-9_]{0,127}(?::-[^}]*)?\}$/

/**
 * Replaces references to environment variables in every text of a value; keys stay as they are. A variable that is not
 * set, and has no default, is a fault with its path (venym.md §8 "config"). Values are put in after the file was parsed,
 * so nothing that a variable holds can change the file's structure.
 */
export function resolveReferences(root: unknown, lookup: Lookup): Resolved {
  const references = new Map<string, string>()
  const faults: ReferenceFault[] = []

  function resolve(value: unknown, path: Path): unknown {
    if (Array.isArray(value)) return value.map((item: unknown, index) => resolve(item, [...path, index]))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, [...path, key])]))
    }
    if (typeof value !== 'string' || !value.includes('${')) return value
    const text = resolveText(value, lookup, message => faults.push({ path, message }))
    if (wholePattern.test(value)) references.set(pathKey(path), text)
    return text
  }

  return { value: resolve(root, []), references, faults }
}

function resolveText(text: string, lookup: Lookup, report: (message: string) => void): string {
  return text.replace(referencePattern, (found: string, name: string | undefined, fallback: string | undefined) => {
    if (found === '$${') return '${'
    if (name === undefined) {
      report('has a "${" that is no reference: write ${NAME}, ${NAME:-default}, or $${ for the signs themselves')
      return ''
    }
    const value = lookup(name)
    if (value === undefined && fallback === undefined) {
      report(`needs the environment variable ${name}, which is not set`)
    }
    // As in a shell, a default also stands in for a variable that is set and empty.
    return value === undefined || value === '' ? (fallback ?? '') : value
  })
}

/** What a text means where a number or a boolean is wanted; undefined when it is neither. */
export function retype(text: string): number | boolean | undefined {
  if (text === 'true') return true
  if (text === 'false') return false
  const isNumber = /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text) && isExactNumber(Number(text), text)
  return isNumber ? Number(text) : undefined
}
