/** One member name that a level of an object is searched for. */
export interface JsonName<Name extends string> {
  readonly name: Name
  /** The plain spelling with its quotes. */
  readonly spelled: Buffer
  /** One bit per name of a set, so that a number can remember which names were seen. */
  readonly bit: number
}

/** The names that one level of an object is searched for: at most 31, so that their bits fit a small integer. */
export type JsonNames<Name extends string> = readonly JsonName<Name>[]

/** Names must be such that JSON spells them without escapes. */
export function createJsonNames<Name extends string>(...names: readonly Name[]): JsonNames<Name> {
  return names.map((name, index) => ({ name, spelled: Buffer.from(`"${name}"`), bit: 1 << index }))
}
