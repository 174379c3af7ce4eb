import type { CacheBounds, RecentCache } from './recent-cache.ts'

/** What was of use lately to several owners, none of whom finds what another one set. */
export interface SharedCache<Value> {
  of(owner: string): Pick<RecentCache<Value>, 'get' | 'set'>
}

export interface SharedCacheBounds<Value> extends CacheBounds<Value> {
  /** One owner has at most the n-th part of all entries, and of all their size. */
  readonly ownersMin: number
}

interface Entry<Value> {
  readonly owner: string
  readonly value: Value
  readonly untilMs: number
  readonly size: number
}

interface Owned {
  /** In the order of use. */
  readonly keys: Set<string>
  size: number
}

/**
 * A cache of which no owner can take everything: whoever has its share loses what it used least lately itself. When the
 * whole is full, what anybody used least lately goes.
 */
export function createSharedCache<Value>(bounds: SharedCacheBounds<Value>): SharedCache<Value> {
  const { entriesMax, sizeMax, ownersMin, sizeOf } = bounds
  const share = { entries: entriesMax / ownersMin, size: sizeMax / ownersMin }
  /** In the order of use, because a Map keeps the order in which keys were set. */
  const entries = new Map<string, Entry<Value>>()
  const owners = new Map<string, Owned>()
  let size = 0

  function remove(key: string): Entry<Value> | undefined {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    entries.delete(key)
    size -= entry.size
    const owned = ownedBy(entry.owner)
    owned.keys.delete(key)
    owned.size -= entry.size
    if (owned.keys.size === 0) owners.delete(entry.owner)
    return entry
  }

  function put(key: string, entry: Entry<Value>): void {
    const owned = ownedBy(entry.owner)
    owners.set(entry.owner, owned)
    owned.keys.add(key)
    owned.size += entry.size
    entries.set(key, entry)
    size += entry.size
    drop(owned.keys, () => owned.keys.size <= share.entries && owned.size <= share.size)
    drop(entries.keys(), () => entries.size <= entriesMax && size <= sizeMax)
  }

  function drop(keys: Iterable<string>, fits: () => boolean): void {
    for (const oldest of keys) {
      if (fits()) return
      remove(oldest)
    }
  }

  function ownedBy(owner: string): Owned {
    return owners.get(owner) ?? { keys: new Set(), size: 0 }
  }

  return {
    of: owner => ({
      get(name, nowMs) {
        const key = JSON.stringify([owner, name])
        const entry = remove(key)
        if (entry === undefined || nowMs >= entry.untilMs) return undefined
        put(key, entry)
        return entry.value
      },
      set(name, value, untilMs) {
        const key = JSON.stringify([owner, name])
        remove(key)
        const entry = { owner, value, untilMs, size: sizeOf(name, value) }
        if (entry.size <= share.size) put(key, entry)
      },
    }),
  }
}
