export interface TtlCacheOptions {
  /** The entry that was not used for the longest time makes room for a new one. At least 1. */
  readonly entriesMax: number
  /** How long an entry counts after it was set. */
  readonly ttlMs: number
}

/** A bounded cache whose entries expire. Time is an argument, so that its owner's clock rules. */
export interface TtlCache<Key, Value> {
  /** Undefined when there is none or it has expired at `nowMs`; otherwise the entry counts as used. */
  get(key: Key, nowMs: number): Value | undefined
  set(key: Key, value: Value, nowMs: number): void
  delete(key: Key): void
  clear(): void
  /** Expired entries count until they are met or pushed out. */
  readonly size: number
}

export function createTtlCache<Key, Value>(options: TtlCacheOptions): TtlCache<Key, Value> {
  const { entriesMax, ttlMs } = options
  /** In the order of use, because a Map keeps the order in which keys were set. */
  const entries = new Map<Key, { readonly value: Value; readonly expiresMs: number }>()

  return {
    get(key, nowMs) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      if (nowMs >= entry.expiresMs) return undefined
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, nowMs) {
      entries.delete(key)
      entries.set(key, { value, expiresMs: nowMs + ttlMs })
      if (entries.size <= entriesMax) return
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        break
      }
    },
    delete: key => void entries.delete(key),
    clear: () => entries.clear(),
    get size() {
      return entries.size
    },
  }
}
