import { isJsonObject, parseJsonBytes } from '../../lib/json.ts'
import { type DocumentChange, openContent } from './change-document.ts'
import type { SharedDocument } from './types.ts'

/** The document that holds the ids of the drained engines. */
export const drainsDocument = 'engine_drains'

/** More than a configuration can name, and what is left of engines that are gone. */
const drainsMax = 1_000
const idCharactersMax = 200

/** @throws Error when the content is not what this version writes. */
export function decodeDrains(content: Buffer): ReadonlySet<string> {
  const value = parseJsonBytes(content)
  const ids = isJsonObject(value) ? value['drained'] : undefined
  if (!Array.isArray(ids) || ids.length > drainsMax || !ids.every(isId)) {
    throw new Error('the list of drained engines is not one that this version knows')
  }
  return new Set(ids)
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= idCharactersMax
}

export interface DrainChange {
  readonly id: string
  readonly drained: boolean
}

/** Sets whether an engine is drained. The outcome is whether it was so before. */
export function changeDrains(found: SharedDocument | null, { id, drained }: DrainChange): DocumentChange<boolean> {
  const ids = new Set(found === null ? [] : decodeDrains(openContent(found)))
  const before = ids.has(id)
  if (before === drained) return { content: null, outcome: before }
  if (drained) ids.add(id)
  else ids.delete(id)
  if (ids.size > drainsMax) throw new RangeError(`more than ${drainsMax} engines are drained: take some back first`)
  return { content: Buffer.from(JSON.stringify({ drained: [...ids].sort() })), outcome: before }
}
