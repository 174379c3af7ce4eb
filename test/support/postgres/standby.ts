import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, realpath, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { findLastingPort } from '../lasting-port.ts'
import { waitFor } from '../wait-for.ts'
import { makeDataFolder } from './data-folder.ts'
import { password, superuser, withConnection } from './database.ts'
import { PostgresServer } from './postgres-server.ts'
import { serverFolder } from './run-folder.ts'
import { accountOfServers } from './unprivileged.ts'

const followMs = 30_000
/** What a base backup leaves out: state of the running primary, and WAL, which the standby fetches. */
const leftOut = /^(postmaster\.(pid|opts)|(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_stat_tmp)\/.+)$/

export interface StandbyOptions {
  /** A COMMIT waits until the standby has it on disk, so that a fail-over loses nothing. Default true. */
  readonly synchronous?: boolean
}

/** A streaming replica, in step with its primary when this resolves. `promote()` makes it the new primary. */
export async function createStandby(primary: PostgresServer, options: StandbyOptions = {}): Promise<PostgresServer> {
  const name = `standby_${randomBytes(4).toString('hex')}`
  await primary.query('SELECT pg_create_physical_replication_slot($1, true)', [name])
  const folder = await serverFolder('standby')
  const data = await makeDataFolder(folder, primary.place)
  const source = await realpath(primary.dataFolder)
  await withConnection(primary.url, client => copyData(client, source, data))
  const standby = PostgresServer.over({
    binaries: primary.binaries,
    folder,
    place: primary.place,
    port: await findLastingPort(),
    settings: {
      ...primary.settings,
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${superuser} password=${password} application_name=${name}`,
      primary_slot_name: name,
    },
  })
  await standby.start()
  if (options.synchronous ?? true) await commitOn(primary, name)
  await waitFor('the standby to follow', () => follows(primary, name, options.synchronous ?? true), {
    withinMs: followMs,
    everyMs: 20,
  })
  return standby
}

/**
 * A base backup by the low-level functions of the server, because npm's PostgreSQL comes without `pg_basebackup`. They were
 * renamed in version 15. Start and stop must be on one connection.
 */
async function copyData(client: pg.Client, source: string, data: string): Promise<void> {
  const { rows } = await client.query("SELECT current_setting('server_version_num')::int >= 150000 AS modern")
  const [start, stop] = rows[0].modern
    ? ["pg_backup_start('standby', true)", 'pg_backup_stop(false)']
    : ["pg_start_backup('standby', true, false)", 'pg_stop_backup(false, false)']
  await client.query(`SELECT ${start}`)
  await cp(source, data, { recursive: true, filter: path => !leftOut.test(relative(source, path)) })
  const backup = await client.query(`SELECT labelfile FROM ${stop}`)
  await writeFile(join(data, 'backup_label'), backup.rows[0].labelfile)
  await writeFile(join(data, 'standby.signal'), '')
  if (accountOfServers !== undefined) await promisify(execFile)('chown', ['-R', accountOfServers, data])
}

async function commitOn(primary: PostgresServer, name: string): Promise<void> {
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`)
  await primary.query('SELECT pg_reload_conf()')
}

async function follows(primary: PostgresServer, name: string, synchronous: boolean): Promise<boolean> {
  const [standby] = await primary.query<{ state: string; sync_state: string }>(
    'SELECT state, sync_state FROM pg_stat_replication WHERE application_name = $1',
    [name],
  )
  return standby?.state === 'streaming' && (standby.sync_state === 'sync' || !synchronous)
}
