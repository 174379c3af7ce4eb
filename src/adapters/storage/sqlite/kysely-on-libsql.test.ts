import { sql } from 'kysely'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { createKysely } from './kysely-on-libsql.ts'

const database = new Database(':memory:').defaultSafeIntegers(true)
const kysely = createKysely(database)

it('reads integers beyond 2^53 exactly', async () => {
  const { rows } = await sql<{ n: bigint }>`select ${2n ** 62n + 1n} as n`.execute(kysely)
  expect(rows).toEqual([{ n: 2n ** 62n + 1n }])
})

it.each([true, undefined])('refuses to bind %s, which the driver does not survive or silently changes', async value => {
  await expect(sql`select ${value} as x`.execute(kysely)).rejects.toThrow(TypeError)
})
