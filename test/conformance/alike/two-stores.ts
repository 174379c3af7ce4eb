import { join } from 'node:path'
import type { GroupChannel } from '../../../src/adapters/storage/groups/group-sender.ts'
import { createMoneyChannel } from '../../../src/adapters/storage/postgres/money/money-channel.ts'
import { createPostgresPool } from '../../../src/adapters/storage/postgres/postgres-pool.ts'
import type { Storage } from '../../../src/adapters/storage/storage.ts'
import { Secret } from '../../../src/lib/secret.ts'
import { createDatabase } from '../../support/postgres/index.ts'
import { type InProcessStore, openInProcess } from '../in-process-store.ts'
import { makeFolder } from '../make-folder.ts'
import { openPostgres } from '../open-test-storage.ts'

/** One of the stores, as a test that compares them needs it. */
export interface ComparedStore {
  readonly identity: Storage['identity']
  readonly ledger: Pick<Storage['ledger'], 'rememberPrices' | 'verify'>
  /** Runs exactly the group that it is given. */
  readonly channel: GroupChannel
  /** Rows in the order of the named columns, with numbers of the engine's own kinds made alike. */
  rows(table: string, columns: string): Promise<readonly unknown[]>
}

const statementMs = 30_000

export async function openTwoStores(): Promise<readonly [sqlite: ComparedStore, postgres: ComparedStore]> {
  return [await openSqliteToCompare(), await openPostgresToCompare()]
}

async function openSqliteToCompare(): Promise<ComparedStore> {
  let channel: GroupChannel | undefined
  const through = (direct: GroupChannel) => {
    channel = direct
    return direct
  }
  const store: InProcessStore = await openInProcess(join(makeFolder(), 'rialto.db'), { through })
  if (channel === undefined) throw new Error('the store has a channel')
  const rows = async (table: string, columns: string) =>
    store.database.prepare(`select ${columns} from ${table} order by ${columns}`).raw().all([]).map(alike)
  return { identity: store.identity, ledger: store.ledger, channel, rows }
}

async function openPostgresToCompare(): Promise<ComparedStore> {
  const { url } = await createDatabase({ collation: 'C' })
  const { identity, ledger } = await openPostgres(url)
  const pool = createPostgresPool({ url: new Secret(url), connections: 2, statementMs })
  const fail = (error: Error) => {
    throw error
  }
  const rows = async (table: string, columns: string) => {
    const found = await pool.query(`select ${columns} from ${table} order by ${columns}`)
    return found.map(row => Object.values(row)).map(alike)
  }
  return { identity, ledger, channel: createMoneyChannel(pool, fail), rows }
}

/** Integers come as bigint, number or text; JSON texts may differ in their spaces. */
function alike(row: unknown): unknown {
  return (row as unknown[]).map(value => {
    if (typeof value === 'bigint') return value.toString()
    if (typeof value === 'string' && value.startsWith('[')) return JSON.parse(value)
    return typeof value === 'number' && Number.isSafeInteger(value) ? value.toString() : value
  })
}
