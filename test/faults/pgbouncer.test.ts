import { afterAll, beforeAll } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { admissionSuite } from '../conformance/admission-suite.ts'
import { idempotencySuite } from '../conformance/idempotency-suite.ts'
import { identitySuite } from '../conformance/identity-suite.ts'
import { ledgerSuite } from '../conformance/ledger-suite.ts'
import { openPostgres } from '../conformance/open-test-storage.ts'
import { usageSuite } from '../conformance/usage-suite.ts'
import { createDatabase, describePgBouncer, startPgBouncer } from '../support/postgres/index.ts'

/** Fewer connections than a store opens, so that each of its transactions may be on another one. */
const serverConnections = 3
/** What is found by many of them does not depend on the pooler. */
const propertyRuns = 50

/** What every store must pass, with a pooler between that gives out connections for one transaction at a time. */
describePgBouncer('PostgreSQL through PgBouncer in transaction mode', () => {
  let storage: Storage
  beforeAll(async () => {
    const database = await createDatabase()
    const bouncer = await startPgBouncer({ server: database, settings: { default_pool_size: serverConnections } })
    storage = await openPostgres(bouncer.through(database.url))
  })
  afterAll(() => storage.close())

  const open = async () => storage
  admissionSuite(open)
  ledgerSuite(open, propertyRuns)
  identitySuite(open)
  usageSuite(open)
  idempotencySuite(open)
})
