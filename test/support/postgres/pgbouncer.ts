import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findLastingPort } from '../lasting-port.ts'
import { waitFor } from '../wait-for.ts'
import { applicationRole, atPort, password } from './database.ts'
import { serverFolder } from './run-folder.ts'
import { findProgram } from './server-binaries.ts'
import { unprivileged } from './unprivileged.ts'

const startMs = 10_000

/** Why there is no PgBouncer; undefined when there is one. */
export function pgBouncerProblem(): string | undefined {
  return findProgram('pgbouncer') === undefined ? 'pgbouncer (the Debian package) is missing' : undefined
}

/** PgBouncer in transaction mode: a session's settings, advisory locks and LISTEN do not outlive a transaction. */
export class PgBouncer {
  readonly port: number
  readonly folder: string
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child
    this.port = port
    this.folder = folder
    this.#exited = once(child, 'exit')
  }

  /** Before all databases of a server on 127.0.0.1. Settings are those of the section `[pgbouncer]`. */
  static async start(server: { readonly port: number }, settings: PgBouncerSettings = {}): Promise<PgBouncer> {
    const folder = await serverFolder('pgbouncer')
    const port = await findLastingPort()
    const configFile = join(folder, 'pgbouncer.ini')
    await writeFile(join(folder, 'users.txt'), `"${applicationRole}" "${password}"\n`)
    await writeFile(configFile, configText(folder, server.port, { ...settings, listen_port: port }))
    const { file, parameters } = unprivileged(findProgram('pgbouncer') ?? 'pgbouncer', [configFile])
    const log = openSync(join(folder, 'output.log'), 'a')
    const child = spawn(file, parameters, { detached: true, stdio: ['ignore', log, log], cwd: '/' })
    closeSync(log)
    child.unref()
    const started = new PgBouncer(child, port, folder)
    await once(child, 'spawn')
    await waitFor('PgBouncer to start', () => started.#hasEnded() || accepts(port), { withinMs: startMs, everyMs: 10 })
    if (started.#hasEnded()) throw new Error(`PgBouncer ended: ${await readFile(join(folder, 'output.log'), 'utf8')}`)
    return started
  }

  /** The same database through PgBouncer. */
  through(url: string): string {
    return atPort(url, this.port)
  }

  /** SIGKILL: it keeps nothing that an orderly stop would save. */
  async kill(): Promise<void> {
    if (this.#hasEnded()) return
    this.#child.ref()
    this.#child.kill('SIGKILL')
    await this.#exited
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }
}

export type PgBouncerSettings = Readonly<Record<string, string | number>>

function configText(folder: string, serverPort: number, settings: PgBouncerSettings): string {
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    pool_mode: 'transaction',
    max_client_conn: 1_000,
    pidfile: join(folder, 'pgbouncer.pid'),
    ...settings,
  }).map(([name, value]) => `${name} = ${value}`)
  return ['[databases]', `* = host=127.0.0.1 port=${serverPort}`, '[pgbouncer]', ...lines, ''].join('\n')
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}
