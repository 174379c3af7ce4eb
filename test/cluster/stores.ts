import { describe } from 'vitest'
import type { GatewayOptions } from '../support/gateway/index.ts'
import { createDatabase, describePostgres } from '../support/postgres/index.ts'

/** What a gateway of several processes may keep its books in. */
export interface StoreUnderTest {
  /** A store that nobody used yet. */
  readonly open: () => Promise<Pick<GatewayOptions, 'store'>>
  /** Within this the holds of a gateway that died are resolved by the next. */
  readonly recoverMs: number
}

/** Within this the holds of one process that died are resolved by those that run on. */
export const releaseMs = 10_000

const sqlite: StoreUnderTest = { open: async () => ({}), recoverMs: 5_000 }

const postgres: StoreUnderTest = {
  open: async () => ({ store: { url: (await createDatabase()).url } }),
  // A gateway that died is believed dead when its lease is over.
  recoverMs: 30_000,
}

/** The same tests on each store. */
export function describeStores(name: string, tests: (store: StoreUnderTest) => void): void {
  describe(`${name} on SQLite`, () => tests(sqlite))
  describePostgres(`${name} on PostgreSQL`, () => tests(postgres))
}
