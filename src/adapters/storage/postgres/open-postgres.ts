import type { Clock } from '../../../core/clock.ts'
import type { Logger } from '../../../core/logger.ts'
import type { Random } from '../../../core/random.ts'
import { StoreUnavailable } from '../../../core/store-error.ts'
import type { Secret } from '../../../lib/secret.ts'
import { createMoneyStore } from '../groups/money-store.ts'
import { createMoneyLanes, type MoneyLanes } from '../groups/writer-client.ts'
import { readMoveMark, whyNotUsable } from '../sql/move-mark.ts'
import { createSeal } from '../sql/seal.ts'
import { sealDocuments } from '../sql/seal-documents.ts'
import { sealIdempotency } from '../sql/seal-idempotency.ts'
import { checkChainEnd } from '../sql/verify/check-chain-end.ts'
import type { Storage, StorageMode } from '../storage.ts'
import { listenForDocuments } from './changes/listen-for-documents.ts'
import { notifyStatement } from './changes/listener.ts'
import { createPostgresSql } from './kysely-on-postgres.ts'
import { joinGateways, type Membership, outsider, type ReplicaOptions } from './liveness/membership.ts'
import { createRecovery } from './liveness/recovery.ts'
import { migrate } from './migrate.ts'
import { postgresMigrations } from './migrations/index.ts'
import { createMoneyChannel } from './money/money-channel.ts'
import { createPoolStores } from './pool-stores.ts'
import { UnavailableCause } from './postgres-fault.ts'
import { createPostgresPool, type PostgresPool } from './postgres-pool.ts'

/** Connections of one process: see docs/sizing.md before raising them. One of money's is for the lease. */
const moneyConnections = 3
const lookupConnections = 4
const reportConnections = 2

/** Its functions wait for a lock for 3 s at most, and work for milliseconds: what takes longer gets no answer any more. */
const moneyStatementMs = 5_000
/** One row by its index, or a thousand expired keys: who waits longer waits on a connection that died. */
const lookupStatementMs = 5_000
const reportStatementMs = 600_000
const probeWaitMs = 3_000
const migrationStatementMs = 600_000

export interface PostgresStorageOptions {
  readonly url: Secret
  readonly secret: Buffer
  readonly clock: Clock
  readonly random: Random
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly mode: StorageMode
  /** For a gateway, which admits; commands and stores without it take no lease and keep no journal. */
  readonly replica?: ReplicaOptions | undefined
  readonly onFatal: (error: Error) => void
}

/** @throws Error when the server cannot be reached, holds the schema of a newer version, or an incomplete move. */
export async function openPostgresStorage(options: PostgresStorageOptions): Promise<Storage> {
  const { url, secret, random } = options
  await bringUpToDate(options)
  const pools = openPools(url)
  const member = await join(pools, options)
  const [lookups, reports] = [member.guardPool(pools.lookups), member.guardPool(pools.reports)]
  const lanes = openLanes(pools.money, member, options)
  const money = member.cover(createMoneyStore(lanes))
  const sql = createPostgresSql(lookups)
  const stores = createPoolStores(sql, createPostgresSql(reports))
  const recovery = createRecovery({ pool: lookups, sql, writer: lanes.settlements, member })
  const idempotency = member.noteKeys({ ...stores.idempotency, recover: recovery.recoverKeys })
  const seal = createSeal(secret, random)
  const notify = async (payload: string) => void (await lookups.query(notifyStatement, [payload]))
  return {
    identity: stores.identity,
    ledger: { ...money, ...stores.books, recover: recovery.recover },
    admission: money,
    usage: stores.usage,
    idempotency: sealIdempotency(idempotency, seal),
    documents: sealDocuments(stores.documents, seal),
    refusals: stores.refusals,
    failures: stores.failures,
    watchDocuments: watcher => listenForDocuments({ url, random, notify, watcher }),
    isShared: true,
    health: () => lanes.settlements.run({ kind: 'probe' }, { waitMs: probeWaitMs }),
    async close() {
      await member.prepareToLeave()
      // What is admitted too late is let go through the other one.
      await lanes.admissions.close()
      await lanes.settlements.close()
      await member.leave()
      await endAll(pools)
    },
  }
}

type Pools = Readonly<Record<'money' | 'lookups' | 'reports', PostgresPool>>

function openPools(url: Secret): Pools {
  const common = {
    url,
    onLost() {
      for (const pool of Object.values(pools)) pool.renew()
    },
  }
  const pools = {
    money: createPostgresPool({ ...common, connections: moneyConnections, statementMs: moneyStatementMs }),
    lookups: createPostgresPool({ ...common, connections: lookupConnections, statementMs: lookupStatementMs }),
    reports: createPostgresPool({ ...common, connections: reportConnections, statementMs: reportStatementMs }),
  }
  return pools
}

async function endAll(pools: Pools): Promise<void> {
  await Promise.all(Object.values(pools).map(pool => pool.end()))
}

async function join(pools: Pools, { replica, clock, logger }: PostgresStorageOptions): Promise<Membership> {
  if (replica === undefined) return outsider
  try {
    return await joinGateways({ ...replica, pools, clock, logger })
  } catch (error) {
    await endAll(pools)
    throw error
  }
}

function openLanes(pool: PostgresPool, member: Membership, options: PostgresStorageOptions): MoneyLanes {
  const { clock, logger, onFatal } = options
  const channel = member.guardChannel(createMoneyChannel(pool, onFatal))
  return createMoneyLanes({
    channels: { admissions: channel, settlements: channel },
    clock,
    mayAdmit: member.mayAdmit,
    onStuck(stuck) {
      if (stuck) logger.error('store.write_failed')
      else logger.info('store.write_recovered')
    },
    onError: error => logger.error('store.release_failed', { error }),
  })
}

async function bringUpToDate({ url, clock, mode }: PostgresStorageOptions): Promise<void> {
  const pool = createPostgresPool({ url, connections: 1, statementMs: migrationStatementMs })
  try {
    const database = createPostgresSql(pool)
    await migrate(database, postgresMigrations, clock.now())
    const reason = whyNotUsable(await database.snapshot(readMoveMark))
    if (reason !== null) throw new Error(reason)
    if (mode === 'gateway') await database.snapshot(checkChainEnd)
  } catch (error) {
    throw error instanceof StoreUnavailable ? notThere(error) : error
  } finally {
    await pool.end()
  }
}

/** Before the first connection the address may be wrong as well as the server down, or not set up for the gateway. */
function notThere(cause: StoreUnavailable): Error {
  const code = cause.cause instanceof UnavailableCause ? cause.cause.code : 'no answer'
  return new Error(`PostgreSQL cannot be used (${code}): ${mendOf(code)}`, { cause })
}

/** What helps, by SQLSTATE codes and classes (PostgreSQL manual, appendix A). */
const mends: readonly (readonly [code: string, mend: string])[] = [
  ['28', 'correct the user or the password of store in the configuration'],
  ['3D000', 'create the database, or correct store in the configuration'],
  ['42501', 'make the role of store the owner of its database'],
  ['427', 'it holds functions or types of another program: give the gateway a database of its own'],
  ['42P07', 'it holds tables of another program: give the gateway a database of its own'],
  ['53300', 'raise max_connections, or end what else is connected'],
]

function mendOf(code: string): string {
  const [, mend] = mends.find(([known]) => code.startsWith(known)) ?? []
  return mend ?? 'start it, or correct store in the configuration'
}
