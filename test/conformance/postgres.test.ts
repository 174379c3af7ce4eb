import { afterAll, beforeAll, describe } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { createDatabase } from '../support/postgres/index.ts'
import { admissionSuite } from './admission-suite.ts'
import { chargesSuite } from './charges-suite.ts'
import { currenciesSuite } from './currencies-suite.ts'
import { failuresSuite } from './failures-suite.ts'
import { idempotencySuite } from './idempotency-suite.ts'
import { identitySuite } from './identity-suite.ts'
import { keysSuite } from './keys-suite.ts'
import { ledgerSuite } from './ledger-suite.ts'
import { openPostgres } from './open-test-storage.ts'
import { refusalsSuite } from './refusals-suite.ts'
import { usageSuite } from './usage-suite.ts'

/** Every step of a run waits for a commit of its own. */
const propertyRuns = process.env['RIALTO_TEST_LONG'] === '1' ? 5_000 : 250

/** One store for all tests: every test brings accounts of its own, as customers do. */
describe('PostgreSQL', () => {
  let storage: Storage
  beforeAll(async () => {
    storage = await openPostgres((await createDatabase()).url)
  })
  afterAll(() => storage.close())

  const open = async () => storage
  admissionSuite(open)
  ledgerSuite(open, propertyRuns)
  chargesSuite(open)
  currenciesSuite(open)
  identitySuite(open)
  keysSuite(open)
  refusalsSuite(open)
  failuresSuite(open)
  usageSuite(open)
  idempotencySuite(open)
})
