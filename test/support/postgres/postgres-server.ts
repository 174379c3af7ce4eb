import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { findLastingPort } from '../lasting-port.ts'
import { makeDataFolder, type ServerPlace } from './data-folder.ts'
import {
  applicationRole,
  createDatabaseOn,
  type DatabaseOptions,
  password,
  query,
  superuser,
  urlOf,
} from './database.ts'
import { initialise } from './initialise.ts'
import { Postmaster, type StopMode } from './postmaster.ts'
import { reachableBinaries } from './reachable-binaries.ts'
import { serverFolder } from './run-folder.ts'

/** Small, on the loopback only, and as durable as in production: fsync and full_page_writes stay on. */
const ownSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '32MB',
  max_connections: 200,
  max_wal_size: '512MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

const promoteSeconds = 30

export type PostgresSettings = Readonly<Record<string, string | number>>

/** A PostgreSQL server that can be stopped, killed and brought back on the same port. */
export class PostgresServer {
  readonly port: number
  readonly folder: string
  readonly place: ServerPlace
  readonly #binaries: string
  #settings: PostgresSettings
  #postmaster: Postmaster | undefined

  private constructor(parts: ServerParts) {
    this.port = parts.port
    this.folder = parts.folder
    this.place = parts.place
    this.#binaries = parts.binaries
    this.#settings = { ...ownSettings, ...parts.settings, port: parts.port }
  }

  /** A new server with the tests' role and no database but its own. Settings are those of `postgresql.conf`. */
  static async create(settings: PostgresSettings = {}, place: ServerPlace = 'disk'): Promise<PostgresServer> {
    const binaries = await reachableBinaries()
    const folder = await serverFolder('server')
    await initialise(binaries, await makeDataFolder(folder, place), folder)
    const server = new PostgresServer({ binaries, folder, settings, place, port: await findLastingPort() })
    await server.start()
    await server.query(`CREATE ROLE ${applicationRole} LOGIN PASSWORD '${password}'`)
    return server
  }

  /** A server over a data folder that exists, not started. */
  static over(parts: ServerParts): PostgresServer {
    return new PostgresServer(parts)
  }

  /** Of the superuser; a test's own database has the URL that `createDatabase` gives. */
  get url(): string {
    return urlOf(this.port, superuser, 'postgres')
  }

  get settings(): PostgresSettings {
    return this.#settings
  }

  get binaries(): string {
    return this.#binaries
  }

  get isRunning(): boolean {
    return this.#postmaster !== undefined
  }

  get logFile(): string {
    return join(this.folder, 'server.log')
  }

  get dataFolder(): string {
    return join(this.folder, 'data')
  }

  createDatabase(options?: DatabaseOptions) {
    return createDatabaseOn(this.port, options)
  }

  /** SQL as the superuser. */
  query<Row extends pg.QueryResultRow>(text: string, parameters?: readonly unknown[]): Promise<Row[]> {
    return query<Row>(this.url, text, parameters)
  }

  /** Starts it after `stop` or `kill`; settings given here are added for good. */
  async start(settings: PostgresSettings = {}): Promise<void> {
    if (this.#postmaster !== undefined) throw new Error('the server runs already')
    this.#settings = { ...this.#settings, ...settings }
    this.#postmaster = await Postmaster.start({
      binaries: this.#binaries,
      data: this.dataFolder,
      logFile: this.logFile,
      settings: this.#settings,
    })
  }

  async stop(mode: StopMode = 'fast'): Promise<void> {
    await this.#postmaster?.stop(mode)
    this.#postmaster = undefined
  }

  async restart(mode: StopMode = 'fast', settings: PostgresSettings = {}): Promise<void> {
    await this.stop(mode)
    await this.start(settings)
  }

  /** A standby becomes a primary of its own. Resolves when it takes writes. */
  async promote(): Promise<void> {
    const [answer] = await this.query<{ promoted: boolean }>(`SELECT pg_promote(true, ${promoteSeconds}) AS promoted`)
    if (answer?.promoted !== true) throw new Error(`the standby was not promoted within ${promoteSeconds} s`)
  }

  /** SIGKILL to the server and all its processes, as a crash of the machine looks to a client beside it. */
  async kill(): Promise<void> {
    await this.#postmaster?.kill()
    this.#postmaster = undefined
  }

  /** Kills it and removes its files. */
  async remove(): Promise<void> {
    await this.kill()
    await rm(await realpath(this.dataFolder), { recursive: true })
    await rm(this.folder, { recursive: true })
  }

  /** `pg_terminate_backend` on every client, or on those of one database; returns how many there were. */
  async terminateBackends(database?: string): Promise<number> {
    const ended = await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND datname = coalesce($1, datname)`,
      [database ?? null],
    )
    return ended.length
  }
}

export interface ServerParts {
  readonly binaries: string
  readonly folder: string
  readonly port: number
  readonly settings: PostgresSettings
  readonly place: ServerPlace
}
