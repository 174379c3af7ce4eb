import { afterAll, beforeAll, describe } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { admissionSuite } from './admission-suite.ts'
import { chargesSuite } from './charges-suite.ts'
import { currenciesSuite } from './currencies-suite.ts'
import { documentsSuite } from './documents-suite.ts'
import { failuresSuite } from './failures-suite.ts'
import { idempotencySuite } from './idempotency-suite.ts'
import { identitySuite } from './identity-suite.ts'
import { keysSuite } from './keys-suite.ts'
import { ledgerSuite } from './ledger-suite.ts'
import { openSqlite } from './open-test-storage.ts'
import { refusalsSuite } from './refusals-suite.ts'
import { usageSuite } from './usage-suite.ts'

/** One store for all tests: every test brings accounts of its own, as customers do. */
describe('SQLite', () => {
  let storage: Storage
  beforeAll(async () => {
    storage = await openSqlite(':memory:')
  })
  afterAll(() => storage.close())

  const open = async () => storage
  admissionSuite(open)
  ledgerSuite(open)
  chargesSuite(open)
  currenciesSuite(open)
  identitySuite(open)
  keysSuite(open)
  refusalsSuite(open)
  failuresSuite(open)
  usageSuite(open)
  idempotencySuite(open)
  documentsSuite(open)
})
