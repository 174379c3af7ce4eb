import { performance } from 'node:perf_hooks'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { changeDocument } from '../../src/domain/replicas/change-document.ts'
import { documentsSuite } from '../conformance/documents-suite.ts'
import { openPostgres } from '../conformance/open-test-storage.ts'
import { stretched } from '../support/lapse.ts'
import {
  createDatabase,
  describePgBouncer,
  describePostgres,
  query,
  startPgBouncer,
  type TestDatabase,
} from '../support/postgres/index.ts'
import { Follower } from './follower.ts'

/** What the issue promises, and what a machine that has other things to do may take on top. */
const promisedMs = 1_000
const slackMs = 500

describePostgres('PostgreSQL', () => {
  let storage: Storage
  beforeAll(async () => {
    storage = await openPostgres((await createDatabase()).url)
  })
  afterAll(() => storage.close())
  documentsSuite(async () => storage)
})

let writes = 0

/** Writes a document and returns how long each follower took to have it. */
async function spread(writer: Pick<Storage, 'documents'>, followers: readonly Follower[]): Promise<number[]> {
  writes += 1
  const text = `text ${writes}`
  await changeDocument(writer.documents, 'spread', () => ({ content: Buffer.from(text), outcome: null }))
  const sinceMs = performance.now()
  return Promise.all(followers.map(follower => follower.delayOf('spread', text, sinceMs)))
}

function expectWithinASecond(delaysMs: readonly number[]): void {
  expect(Math.max(...delaysMs)).toBeLessThan(stretched(promisedMs + slackMs))
}

const listenersOf = (database: TestDatabase) =>
  query(database.url, "select pid from pg_stat_activity where application_name = 'rialto listener'")

describePostgres('a written document', () => {
  let database: TestDatabase
  let followers: [Follower, Follower, Follower]

  beforeEach(async () => {
    database = await createDatabase()
    followers = [
      await Follower.start(database.url),
      await Follower.start(database.url),
      await Follower.start(database.url),
    ]
  })

  it('is everywhere at once while notifications come, and within a second when they are lost', async () => {
    for (const follower of followers) await follower.logged('replicas.listening')
    const slowest = async () => {
      const delays = []
      for (let count = 0; count < 4; count++) delays.push(Math.max(...(await spread(followers[0].storage, followers))))
      expectWithinASecond(delays)
      return delays.reduce((sum, delay) => sum + delay, 0)
    }
    // A busy machine delays some notifications, not those of each round.
    const notified = Math.min(await slowest(), await slowest(), await slowest())
    await query(database.url, 'drop trigger shared_documents_notify on shared_documents')
    expect(notified).toBeLessThan((await slowest()) / 2)
  })

  it('is everywhere within a second after the listening connections were lost, and at once when they are back', async () => {
    for (const follower of followers) await follower.logged('replicas.listening')
    for (let count = 0; count < 3; count++) {
      await query(
        database.url,
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rialto listener'",
      )
      expectWithinASecond(await spread(followers[0].storage, followers))
    }
    for (const follower of followers) {
      await follower.logged('replicas.polling')
      expect(follower.logger.lines.at(-1)?.fields['reason'] ?? 'listening').not.toBe('not_delivered')
    }
    await expect.poll(() => listenersOf(database), { timeout: 8_000 }).toHaveLength(3)
  })

  it('is read a bounded number of times, however often it is written', { timeout: 120_000 }, async () => {
    for (const follower of followers) await follower.logged('replicas.listening')
    const beganMs = performance.now()
    const before = followers.map(({ reads }) => reads)
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      const name = `burst-${writer}`
      let version = 0
      for (let count = 1; count <= 250; count++) {
        version = await followers[0].storage.documents.write(name, Buffer.from(String(count)), version)
      }
    })
    await Promise.all(writers)
    const burstMs = performance.now() - beganMs
    const delays = await Promise.all(followers.map(follower => follower.delayOf('burst-3', '250', performance.now())))
    expectWithinASecond(delays)
    const looks = followers.map(({ reads }, index) => reads - (before[index] ?? 0))
    // One look in 50 ms, and what hints and half seconds add at both ends.
    for (const count of looks) expect(count).toBeLessThanOrEqual(burstMs / 50 + 5)
  })

  it('of a store that was restored from a backup is found with the next reading of everything', async () => {
    const { documents } = followers[0].storage
    await changeDocument(documents, 'spread', () => ({ content: Buffer.from('later'), outcome: null }))
    await followers[1].delayOf('spread', 'later', 0)
    await query(database.url, 'update shared_head set version = 0')
    await query(database.url, 'delete from shared_documents')
    await documents.write('spread', Buffer.from('restored'), 0)
    for (const follower of followers) await follower.delayOf('spread', 'restored', 0)
  })
})

describePgBouncer('behind PgBouncer in transaction mode', () => {
  it('a written document is everywhere within a second, and the log says why not at once', async () => {
    const database = await createDatabase()
    const bouncer = await startPgBouncer({ server: database })
    const url = bouncer.through(database.url)
    const followers = [await Follower.start(url), await Follower.start(url)] as const
    for (let count = 0; count < 3; count++) expectWithinASecond(await spread(followers[0].storage, followers))
    for (const follower of followers) {
      await follower.logged('replicas.polling')
      expect(follower.logger.lines.at(-1)?.fields).toEqual({ reason: 'not_delivered', everyMs: 500 })
    }
    expectWithinASecond(await spread(followers[1].storage, followers))
  })
})
