import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import { expectError, useGateway } from '../support/gateway/index.ts'
import { findSecrets } from '../support/gateway/secrets.ts'
import { quickestMs } from '../support/lapse.ts'
import { answer } from '../support/mock-engine/index.ts'
import { applicationRole, password, superuser, urlOf } from '../support/postgres/database.ts'
import {
  describePostgres,
  type PostgresServer,
  query,
  startPostgres,
  type TestDatabase,
} from '../support/postgres/index.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectExactBooks, type Seen, startCallers } from './callers.ts'

const callers = 8
const outageMs = 1_200
/** From the store's return to answers for all callers. */
const recoveredMs = 3_000
/** A busy machine takes so many times as long as the same answers took before anything was broken, if that is longer. */
const slackPerAnswers = 15
/** From the death of connections to answers over others: what waits for an answer gives up after 5 s. */
const deadMs = 14_000
/** What a refusal takes that does not wait for anything, on a busy machine. */
const atOnceMs = 400

let server: PostgresServer
let database: TestDatabase
let proxy: TcpProxy

const gateway = useGateway(async () => {
  server = await startPostgres({ max_connections: 40 })
  database = await server.createDatabase()
  proxy = await startTcpProxy(server)
  return { store: { url: database.url, gatewayUrl: proxy.through(database.url) } }
})

beforeEach(() => {
  gateway.engine().always(answer({ text: ['one', ' two', ' three', ' four'], everyMs: 20 }))
})

/** Breaks something under load and mends it. Resolves with what callers saw when they are served again. */
async function under(fault: (seen: Seen) => Promise<void>): Promise<Seen> {
  const { usedNano } = await gateway.client.credits()
  const load = startCallers(gateway, callers)
  const answersFrom = (begin: number) => () => load.seen.answers.size > begin + callers
  try {
    const beganMs = performance.now()
    await waitFor('answers', answersFrom(0))
    const withinMs = Math.max(recoveredMs, slackPerAnswers * (performance.now() - beganMs))
    await fault(load.seen)
    await waitFor('answers again', answersFrom(load.seen.answers.size), { withinMs })
  } finally {
    await load.stop()
  }
  await expectExactBooks(gateway, load.seen, usedNano)
  return load.seen
}

/**
 * Stops processes that serve the gateway: whoever is connected to them waits for ever. Those in the middle of something go on,
 * because nobody could take what they have locked. Gives the ids of the others.
 */
async function stopBackends(): Promise<readonly number[]> {
  const pidsOf = async (text: string) =>
    (await server.query<{ pid: number }>(text, [database.name])).map(({ pid }) => pid)
  const all = await pidsOf(
    "SELECT pid FROM pg_stat_activity WHERE datname = $1 AND application_name = 'rialto' AND state = 'idle'",
  )
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  const busy = await pidsOf(
    'SELECT DISTINCT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE datname = $1',
  )
  for (const pid of all) if (busy.includes(pid)) process.kill(pid, 'SIGCONT')
  return all.filter(pid => !busy.includes(pid))
}

const isReady = async () => (await gateway.client.send('/health/ready', { key: null })).status === 200

/** While the store is known to be gone, nobody waits to find it out. */
async function expectRefusedAtOnce(): Promise<void> {
  await waitFor('the outage to be known', async () => !(await isReady()))
  await gateway.client.chat()
  const refusedMs = await quickestMs(async () => {
    expectError(await gateway.client.chat(), { status: 503, code: 'ledger_unavailable' })
  })
  expect(refusedMs).toBeLessThan(atOnceMs)
}

describePostgres('PostgreSQL fails under load', () => {
  it('all sessions are ended, again and again', async () => {
    await under(async () => {
      for (let count = 0; count < 5; count += 1) {
        await server.terminateBackends()
        await sleep(150)
      }
    })
  })

  it('it drops everything and starts again', async () => {
    await under(() => server.restart('immediate'))
  })

  it('it is killed, down for a while, and back', async () => {
    await under(async () => {
      await server.kill()
      await expectRefusedAtOnce()
      await sleep(outageMs)
      await server.start()
    })
    expect(await isReady()).toBe(true)
  })

  it('the network is cut, and back', async () => {
    await under(async () => {
      await proxy.refuse()
      proxy.cut()
      await expectRefusedAtOnce()
      await sleep(outageMs)
      await proxy.heal()
    })
  })

  it('the network is silent, and back', async () => {
    await under(async () => {
      proxy.stall()
      await expectRefusedAtOnce()
      await proxy.heal()
    })
  })

  it('connections die without a sign, and new ones work', async () => {
    await under(async ({ answers }) => {
      const stopped = await stopBackends()
      const before = answers.size
      try {
        await waitFor('answers over others', () => answers.size > before + callers, { withinMs: deadMs })
      } finally {
        for (const pid of stopped) process.kill(pid, 'SIGCONT')
      }
    })
  })

  it('answers are lost after their commit: what was charged is charged once, and nothing stays held', async () => {
    const lost = 12
    const before = proxy.accepted
    await under(async () => {
      for (let count = 0; count < lost; count += 1) {
        proxy.dropBefore('toClient', 'answers')
        await sleep(120)
      }
    })
    expect(proxy.accepted - before).toBeGreaterThan(lost / 4)
  })

  it('every commit takes a while longer', async () => {
    const { refusals } = await under(async ({ answers }) => {
      const before = answers.size
      proxy.delay(50)
      await waitFor('answers', () => answers.size > before + callers)
      await proxy.heal()
    })
    expect(refusals).toEqual(new Map())
  })

  it('it has no room for clients, and has again', async () => {
    await under(async () => {
      await server.query(`ALTER DATABASE ${database.name} CONNECTION LIMIT 0`)
      await server.terminateBackends(database.name)
      await expectRefusedAtOnce()
      await sleep(outageMs)
      await server.query(`ALTER DATABASE ${database.name} CONNECTION LIMIT -1`)
    })
  })

  it('it takes no writes, and takes them again', async () => {
    await under(async () => {
      await server.query(`ALTER DATABASE ${database.name} SET default_transaction_read_only = on`)
      await server.terminateBackends(database.name)
      await expectRefusedAtOnce()
      await sleep(outageMs)
      await server.query(`ALTER DATABASE ${database.name} RESET default_transaction_read_only`)
    })
  })

  it.each([
    ['a table is away', 'ALTER TABLE holds RENAME TO holds_aside', 'ALTER TABLE holds_aside RENAME TO holds'],
    ['rights are away', 'REVOKE ALL ON transfers FROM CURRENT_USER', 'GRANT ALL ON transfers TO CURRENT_USER'],
    ['all tables are away', 'ALTER SCHEMA public RENAME TO aside', 'ALTER SCHEMA aside RENAME TO public'],
  ])('%s, and back', async (_, takeAway, giveBack) => {
    // Up to PostgreSQL 14 the schema is not the database owner's.
    await query(urlOf(server.port, superuser, database.name), `ALTER SCHEMA public OWNER TO ${applicationRole}`)
    await under(async ({ refusals }) => {
      await query(database.url, takeAway)
      try {
        await waitFor('refusals', () => (refusals.get('ledger_unavailable') ?? 0) > callers)
        await sleep(outageMs)
      } finally {
        await query(database.url, giveBack)
      }
    })
  })

  it('and says nothing of where it is, who asks, or what', () => {
    const said = [gateway.process.output, ...gateway.witness.errors.map(({ text }) => text)].join('\n')
    expect(said).toContain('store.unreachable')
    const secrets = { password, port: `:${server.port}`, proxy: `:${proxy.port}`, database: database.name }
    expect(findSecrets(said, secrets)).toEqual([])
    expect(said).not.toMatch(/\b(select|insert into|update|delete from) [a-z_]+[ (]/)
  })
})
