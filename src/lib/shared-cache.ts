export interface SharedCacheBounds<Value> {
  readonly entriesMax: number
  readonly sizeMax: number
  /** One owner has at most the n-th part of all entries, and of all their size. */
  readonly ownersMin: number
  /** What an entry takes of `sizeMax`; at least 0. */
  readonly sizeOf: (name: string, value: Value) => number
}

/** What was of use lately to one owner. */
interface OwnedCache<Value> {
  get(name: string, nowMs: number): Value | undefined
  /** Kept until `untilMs` at the longest; what is larger than the owner's part is not kept. */
  set(name: string, value: Value, untilMs: number): void
}

/** What was of use lately to several owners, none of whom finds what another one set. */
export interface SharedCache<Value> {
  /** Null owns what is for everybody, of which there may be as much as there is room. */
  of(owner: string | null): OwnedCache<Value>
  clear(): void
}

interface Entry<Value> {
  readonly owner: string | null
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
 * A cache of which no owner can take everything: whoever has its part loses what it used least lately itself. When the
 * whole is full, what anybody used least lately goes.
 */
export function createSharedCache<Value>(bounds: SharedCacheBounds<Value>): SharedCache<Value> {
  const { entriesMax, sizeMax, ownersMin, sizeOf } = bounds
  /** In the order of use, because a Map keeps the order in which keys were set. */
  const entries = new Map<string, Entry<Value>>()
  const owners = new Map<string | null, Owned>()
  let size = 0

  const partsOf = (owner: string | null) => (owner === null ? 1 : ownersMin)

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
    const parts = partsOf(entry.owner)
    owners.set(entry.owner, owned)
    owned.keys.add(key)
    owned.size += entry.size
    entries.set(key, entry)
    size += entry.size
    drop(owned.keys, () => owned.keys.size <= entriesMax / parts && owned.size <= sizeMax / parts)
    drop(entries.keys(), () => entries.size <= entriesMax && size <= sizeMax)
  }

  function drop(keys: Iterable<string>, fits: () => boolean): void {
    for (const oldest of keys) {
      if (fits()) return
      remove(oldest)
    }
  }

  function ownedBy(owner: string | null): Owned {
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
        if (entry.size <= sizeMax / partsOf(owner)) put(key, entry)
      },
    }),
    clear() {
      entries.clear()
      owners.clear()
      size = 0
    },
  }
}
