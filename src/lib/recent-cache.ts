export interface CacheBounds<Value> {
  readonly entriesMax: number
  readonly sizeMax: number
  /** What an entry takes of `sizeMax`; at least 0. */
  readonly sizeOf: (key: string, value: Value) => number
}

/** What was of use lately. When it is full, what was used least lately goes. */
export interface RecentCache<Value> {
  get(key: string, nowMs: number): Value | undefined
  /** Kept until `untilMs` at the longest; what is larger than the whole cache is not kept. */
  set(key: string, value: Value, untilMs: number): void
  clear(): void
}

interface Entry<Value> {
  readonly value: Value
  readonly untilMs: number
  readonly size: number
}

export function createRecentCache<Value>({ entriesMax, sizeMax, sizeOf }: CacheBounds<Value>): RecentCache<Value> {
  /** In the order of use, because a Map keeps the order in which keys were set. */
  const entries = new Map<string, Entry<Value>>()
  let size = 0

  function remove(key: string): Entry<Value> | undefined {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    entries.delete(key)
    size -= entry.size
    return entry
  }

  function put(key: string, entry: Entry<Value>): void {
    entries.set(key, entry)
    size += entry.size
    for (const oldest of entries.keys()) {
      if (entries.size <= entriesMax && size <= sizeMax) break
      remove(oldest)
    }
  }

  return {
    get(key, nowMs) {
      const entry = remove(key)
      if (entry === undefined || nowMs >= entry.untilMs) return undefined
      put(key, entry)
      return entry.value
    },
    set(key, value, untilMs) {
      remove(key)
      const entry = { value, untilMs, size: sizeOf(key, value) }
      if (entry.size <= sizeMax) put(key, entry)
    },
    clear() {
      entries.clear()
      size = 0
    },
  }
}
