import type { JsonMember } from './json-scan.ts'

/** What changes at the top level of an object. Values are JSON text; everything that is not named stays as it is. */
export interface JsonEdits {
  /** Replaces the value of a member where it stands; a name that no remaining member has is appended, in map order. */
  readonly set?: ReadonlyMap<string, Buffer>
  /** Removes a member with its comma. A name that is also in `set` leaves its place and is appended. */
  readonly remove?: ReadonlySet<string>
}

const comma = Buffer.from(',')

/**
 * The scanned object with its edits, as pieces to be written one after the other: views of `bytes` and the new values,
 * nothing large is copied. Every byte outside the edits stays: order, number spelling, white space, unknown members and
 * what stands around the object. An edit applies to all members of that name, so no duplicate escapes it.
 *
 * `members` are those of `scanObject(bytes)`. An object without members is taken to be the first one in `bytes`.
 */
export function spliceJson(bytes: Buffer, members: readonly JsonMember[], edits: JsonEdits): Buffer[] {
  const pieces: Buffer[] = []
  let copied = 0
  const replaceUntil = (from: number, until: number, value: Buffer | null): void => {
    if (from > copied) pieces.push(bytes.subarray(copied, from))
    if (value !== null && value.length > 0) pieces.push(value)
    copied = until
  }

  const lastKept = members.findLastIndex(member => !edits.remove?.has(member.key))
  for (const [index, member] of members.entries()) {
    if (index > lastKept) break
    const value = edits.set?.get(member.key)
    if (edits.remove?.has(member.key))
      replaceUntil(member.keyStart, members[index + 1]?.keyStart ?? member.valueEnd, null)
    else if (value !== undefined) replaceUntil(member.valueStart, member.valueEnd, value)
  }

  const lastEnd = members.at(-1)?.valueEnd ?? bytes.indexOf('{') + 1
  const keptEnd = members[lastKept]?.valueEnd ?? members[0]?.keyStart ?? lastEnd
  const appended = encodeAppended(members, edits, lastKept >= 0)
  if (keptEnd < lastEnd || appended.length > 0) replaceUntil(keptEnd, lastEnd, null)
  pieces.push(...appended)
  replaceUntil(bytes.length, bytes.length, null)
  return pieces
}

/** The members that `set` adds, each with the comma it needs. */
function encodeAppended(members: readonly JsonMember[], edits: JsonEdits, afterMember: boolean): Buffer[] {
  const pieces: Buffer[] = []
  for (const [key, value] of edits.set ?? []) {
    const stays = !edits.remove?.has(key) && members.some(member => member.key === key)
    if (stays) continue
    if (afterMember || pieces.length > 0) pieces.push(comma)
    pieces.push(Buffer.from(`${JSON.stringify(key)}:`), value)
  }
  return pieces
}
