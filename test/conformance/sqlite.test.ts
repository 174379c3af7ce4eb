import { afterAll, beforeAll, describe } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { admissionSuite } from './admission-suite.ts'
import { openSqlite } from './open-test-storage.ts'

/** One store for all tests: every test brings accounts of its own, as customers do. */
describe('SQLite', () => {
  let storage: Storage
  beforeAll(async () => {
    storage = await openSqlite(':memory:')
  })
  afterAll(() => storage.close())

  const open = async () => storage
  admissionSuite(open)
})
