import { hasBytesAt } from './json-bytes.ts'

/** One member name that a level of an object is searched for. */
export interface JsonName<Name extends string> {
  readonly name: Name
  readonly bytes: Buffer
  /** One bit per name of a set, so that a number can remember which names were seen. */
  readonly bit: number
}

/** The names that one level of an object is searched for: at most 31, so that their bits fit a small integer. */
export type JsonNames<Name extends string> = readonly JsonName<Name>[]

export function createJsonNames<Name extends string>(...names: readonly Name[]): JsonNames<Name> {
  return names.map((name, index) => ({ name, bytes: Buffer.from(name), bit: 1 << index }))
}

/** The entry that `bytes[from, end)` spells byte for byte; null for every other spelling, escapes included. */
export function matchJsonName<Name extends string>(
  names: JsonNames<Name>,
  bytes: Buffer,
  span: { from: number; end: number },
): JsonName<Name> | null {
  const length = span.end - span.from
  for (const entry of names) {
    if (entry.bytes.length === length && hasBytesAt(bytes, span.from, entry.bytes)) return entry
  }
  return null
}
