import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '../wait-for.ts'
import { isAlive } from './process-facts.ts'
import { unprivileged } from './unprivileged.ts'

const startMs = 60_000
const stopMs = 30_000
const logTailCharacters = 4_000
/** The line of `postmaster.pid` that says how far the start is. */
const statusLine = 7
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** `fast` ends sessions and writes a checkpoint; `immediate` drops everything, so that the next start recovers. */
export type StopMode = keyof typeof stopSignals

/** A running `postgres`. It outlives the worker that started it: the guard of the run ends it at the latest. */
export class Postmaster {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>

  private constructor(child: ChildProcess) {
    this.#child = child
    this.#exited = once(child, 'exit')
  }

  /** Resolves when the server takes connections. Throws, with the end of its log, when it ends before. */
  static async start(launch: Launch): Promise<Postmaster> {
    const { file, parameters } = unprivileged(join(launch.binaries, 'postgres'), [
      '-D',
      launch.data,
      ...Object.entries(launch.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    const log = openSync(launch.logFile, 'a')
    const child = spawn(file, parameters, { detached: true, stdio: ['ignore', log, log], cwd: '/' })
    closeSync(log)
    child.unref()
    const started = new Postmaster(child)
    await once(child, 'spawn')
    await waitFor('PostgreSQL to start', () => started.#hasEnded() || isReady(launch.data, started.pid), {
      withinMs: startMs,
      everyMs: 10,
    })
    if (started.#hasEnded())
      throw new Error(`PostgreSQL ended: ${readFileSync(launch.logFile, 'utf8').slice(-logTailCharacters)}`)
    return started
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Resolves when it is gone. Throws, and kills it, when that takes more than 30 s. */
  async stop(mode: StopMode): Promise<void> {
    if (this.#hasEnded()) return
    const force = setTimeout(() => this.#child.kill('SIGKILL'), stopMs)
    this.#child.kill(stopSignals[mode])
    await this.#exited
    clearTimeout(force)
    if (this.#child.signalCode === 'SIGKILL') throw new Error(`PostgreSQL did not stop within ${stopMs} ms`)
  }

  /** SIGKILL to it and all its processes: nothing gets the chance to say goodbye. */
  async kill(): Promise<void> {
    const backends = this.#hasEnded() ? [] : childrenOf(this.pid)
    this.#child.ref()
    this.#child.kill('SIGKILL')
    for (const backend of backends) killIfAlive(backend)
    if (!this.#hasEnded()) await this.#exited
    await waitFor('the backends to be gone', () => !backends.some(isAlive), { withinMs: stopMs })
  }

  #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }
}

export interface Launch {
  readonly binaries: string
  readonly data: string
  readonly logFile: string
  readonly settings: Readonly<Record<string, string | number>>
}

/** The server itself writes `ready`, or `standby` when it follows another. */
async function isReady(data: string, pid: number): Promise<boolean> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  return lines[0] === String(pid) && ['ready', 'standby'].includes(lines[statusLine]?.trim() ?? '')
}

function childrenOf(pid: number): number[] {
  const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return list.split(' ').filter(Boolean).map(Number)
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
