/** The store cannot answer now: locked, full, gone. Whatever was asked did not happen, or nobody knows; never assume. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** A unique name or idempotency key is taken by something else. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict'
}
