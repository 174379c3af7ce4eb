import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createPostgresSql } from '../../src/adapters/storage/postgres/kysely-on-postgres.ts'
import { migrate as migratePostgres } from '../../src/adapters/storage/postgres/migrate.ts'
import { postgresMigrations } from '../../src/adapters/storage/postgres/migrations/index.ts'
import { createPostgresPool } from '../../src/adapters/storage/postgres/postgres-pool.ts'
import { migrations } from '../../src/adapters/storage/sql/migrations/index.ts'
import type { Migration } from '../../src/adapters/storage/sql/migrations/migration.ts'
import { encodeUsageDetails } from '../../src/adapters/storage/sql/texts/usage-details.ts'
import { openWriter } from '../../src/adapters/storage/sqlite/connection.ts'
import { migrate as migrateSqlite } from '../../src/adapters/storage/sqlite/migrate.ts'
import { Secret } from '../../src/lib/secret.ts'
import { makeFolder } from '../conformance/make-folder.ts'
import { createDatabase, describePostgres, query } from '../support/postgres/index.ts'

const day = 20_772
const dayMs = 86_400_000

const usage = { promptTokens: 100, completionTokens: 50, cachedTokens: 30, cacheWriteTokens: 20, reasoningTokens: 10 }
const details = encodeUsageDetails({
  ...{ requestId: 'req_1', priceVersion: 'price_1', surface: 'v1', engine: 'node', engineCompletionId: null },
  ...{ status: 200, stream: false, usage, usageSource: 'engine', finishReason: 'stop', attempts: [] },
  ...{ firstByteMs: 1, totalMs: 2 },
})

/** A record as the version before wrote it. */
function record(seq: number, change: { readonly day?: number; readonly model?: string; readonly outcome?: string }) {
  const { model = 'model-a', outcome = 'done' } = change
  const atMs = (change.day ?? day) * dayMs + seq
  return `(${seq}, 'hold_${seq}', 'chatcmpl-${seq}', 1, 7, '${model}', '${outcome}', 9, 5, 1, 0, 1, ${atMs}, '[]', '${details}')`
}

const columns =
  'hold_seq, hold_id, generation_id, account_no, key_no, model, outcome, held_nano, cost_nano, writeoff_nano,' +
  ' balance_before_nano, cost_delivered, created_at_ms, lines, details'
const records = [
  record(1, {}),
  record(2, {}),
  record(3, { outcome: 'deadline' }),
  record(4, { model: 'model-b' }),
  record(5, { day: day + 1 }),
]
const pruned = 'insert into pruned_usage (account_no, records, cost_nano) values (1, 40, 700)'

/** Up to the one that brings the sums, and from it on. */
function split(all: readonly Migration[]) {
  const index = all.findIndex(({ name }) => name === 'usage-days')
  return { before: all.slice(0, index), all }
}

type Read = (statement: string) => Promise<readonly object[]>

const counts = 'requests, prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens, reasoning_tokens'

async function checkSums(read: Read): Promise<void> {
  const rows = async (statement: string) => (await read(statement)).map(row => Object.values(row).map(String).join(' '))
  const sums = `${counts}, cost_nano, writeoff_nano`
  expect(await rows(`select day, key_no, model, ${sums} from usage_days where day > 0 order by day, model`)).toEqual([
    `${day} 7 model-a 3 300 150 90 60 30 15 3`,
    `${day} 7 model-b 1 100 50 30 20 10 5 1`,
    `${day + 1} 7 model-a 1 100 50 30 20 10 5 1`,
  ])
  expect(await rows(`select day, key_no, model, outcome, ${sums} from usage_days_unusual`)).toEqual([
    `${day} 7 model-a deadline 1 100 50 30 20 10 5 1`,
  ])
  expect(await rows('select account_no, key_no, requests, cost_nano from usage_days where day = 0')).toEqual([
    '1 0 40 700',
  ])
}

describe('a store on SQLite from before there were sums', () => {
  it('has its records counted, and what was pruned under no day', async () => {
    const database = openWriter(join(makeFolder(), 'rialto.db'))
    onTestFinished(() => void database.close())
    const { before, all } = split(migrations)
    await migrateSqlite(database, before, 0)
    database.exec(`insert into usage_records (${columns}) values ${records.join(', ')}; ${pruned}`)
    await migrateSqlite(database, all, 0)
    await checkSums(async statement => database.prepare(statement).all([]) as object[])
  })
})

describePostgres('a store on PostgreSQL from before there were sums', () => {
  it('has its records counted, and what was pruned under no day', async () => {
    const { url } = await createDatabase()
    const pool = createPostgresPool({ url: new Secret(url), connections: 1, statementMs: 60_000 })
    onTestFinished(() => pool.end())
    const { before, all } = split(postgresMigrations)
    await migratePostgres(createPostgresSql(pool), before, 0)
    await query(
      url,
      `insert into usage_records (day, ${columns})
       select created_at_ms / ${dayMs}, * from (values ${records.join(', ')}) as written (${columns})`,
    )
    await query(url, pruned)
    await migratePostgres(createPostgresSql(pool), all, 0)
    await checkSums(statement => query(url, statement))
  })
})
