import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createDatabase, describePostgres, query, type TestDatabase } from './index.ts'

const databasesOf = (url: string) => query(url, "SELECT datname FROM pg_database WHERE datname LIKE 'test_%'")

describePostgres('the server that all tests share', () => {
  let kept: TestDatabase
  let ofTest: TestDatabase

  beforeAll(async () => {
    kept = await createDatabase()
  })

  test('commits to disk, and its databases belong to an account that is no superuser', async () => {
    const settings = "SELECT current_setting('fsync') AS fsync, current_setting('is_superuser') AS superuser"
    expect(await query(kept.url, settings)).toEqual([{ fsync: 'on', superuser: 'off' }])
  })

  test('gives each caller an empty database that goes with the test', async () => {
    ofTest = await createDatabase()
    await query(ofTest.url, 'CREATE TABLE something (id bigint)')
    expect(await query(kept.url, "SELECT to_regclass('something') AS it")).toEqual([{ it: null }])
    expect(await databasesOf(kept.url)).toContainEqual({ datname: ofTest.name })
    onTestFinished(() => query(ofTest.url, 'SELECT 1').then(() => undefined))
  })

  test('keeps a database of beforeAll for all tests of the file', async () => {
    const names = await databasesOf(kept.url)
    expect(names).toContainEqual({ datname: kept.name })
    expect(names).not.toContainEqual({ datname: ofTest.name })
  })

  test('orders text as people do, or by bytes when asked to', async () => {
    const order = "SELECT 'B' > 'a' AS linguistic, current_setting('server_version_num')::int >= 150000 AS modern"
    const [usual] = await query(kept.url, order)
    expect(usual?.['linguistic']).toBe(usual?.['modern'])
    const bytes = await createDatabase({ collation: 'C' })
    expect(await query(bytes.url, order)).toMatchObject([{ linguistic: false }])
  })

  test('takes the password and nothing else', async () => {
    const wrong = new URL(kept.url)
    wrong.password = 'wrong'
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed')
  })
})
