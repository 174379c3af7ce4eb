import { stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '../../core/logger.ts'
import { readConfigFile } from './config-file.ts'

/** An editor that is still writing is given so long to finish, so often. */
const settleMs = 100
const settleTries = 20
const problemLinesMax = 20

export interface ConfigFollowerOptions<Config> {
  readonly path: string
  readonly bytesMax: number
  /** What is in force. `text` is null when it came from no file. */
  readonly current: { readonly text: string | null; readonly config: Config }
  /** Reads a text. @throws Error whose message says what is wrong, a line each */
  readonly load: (text: string, changedSeconds: number) => Config
  /** Names the keys in which a configuration differs from the one at start, and which take effect after a restart only. */
  readonly needsRestart: (atStart: Config, next: Config) => readonly string[]
  /** Puts a configuration into force. */
  readonly apply: (next: Config) => void | Promise<void>
  readonly logger: Logger
}

/** Takes over what a configuration file says, one change after the other. The last good configuration stays in force. */
export class ConfigFollower<Config> {
  readonly #options: ConfigFollowerOptions<Config>
  /** The text that was judged last, good or not, so that it is judged once. */
  #seen: string | null
  #mark: string | undefined
  #queue: Promise<void> = Promise.resolve()
  /** Of each kind of task at most one waits, however often it is asked for. */
  readonly #waiting = new Set<'check' | 'reload'>()
  #closed = false

  constructor(options: ConfigFollowerOptions<Config>) {
    this.#options = options
    this.#seen = options.current.text
  }

  /** Looks whether the file changed. Never rejects. */
  check(): Promise<void> {
    return this.#enqueue('check')
  }

  /** Takes the file as it is now, changed or not. Never rejects: what is wrong is logged. */
  reload(): Promise<void> {
    return this.#enqueue('reload')
  }

  close(): void {
    this.#closed = true
  }

  #enqueue(task: 'check' | 'reload'): Promise<void> {
    if (this.#waiting.has(task)) return this.#queue
    this.#waiting.add(task)
    const run = async (): Promise<void> => {
      this.#waiting.delete(task)
      if (!this.#closed) await this.#follow(task === 'reload')
    }
    this.#queue = this.#queue.then(run).catch((error: unknown) => this.#refuse(error))
    return this.#queue
  }

  async #follow(isForced: boolean): Promise<void> {
    const { path, bytesMax } = this.#options
    if (!isForced && (await markOf(path)) === this.#mark) return
    this.#mark = await settledMark(path)
    const file = await readConfigFile(path, bytesMax)
    if (file === null || file.text.trim() === '') {
      if (this.#seen === null && !isForced) return
      this.#seen = null
      throw new Error(`The configuration ${path} is ${file === null ? 'gone' : 'empty'}; the last good one stays.`)
    }
    if (file.text === this.#seen && !isForced) return
    this.#seen = file.text
    await this.#takeOver(file.text, file.changedSeconds)
  }

  async #takeOver(text: string, changedSeconds: number): Promise<void> {
    const { load, apply, needsRestart, current, logger } = this.#options
    const next = load(text, changedSeconds)
    if (this.#closed) return
    await apply(next)
    logger.info('config.reloaded', { needsRestart: needsRestart(current.config, next) })
  }

  #refuse(error: unknown): void {
    const lines = error instanceof Error ? error.message.split('\n') : ['unknown reason']
    this.#options.logger.error('config.refused', { problems: lines.slice(0, problemLinesMax).map(line => line.trim()) })
  }
}

/** What changes when a file is written or replaced; `missing` when there is none. */
async function markOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null)
  return stats === null ? 'missing' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`
}

/** The file's mark once it has not changed for a moment: half a file can be a valid one that says something else. */
async function settledMark(path: string): Promise<string> {
  let mark = await markOf(path)
  for (let tries = 0; tries < settleTries; tries += 1) {
    await wait(settleMs, undefined, { ref: false })
    const next = await markOf(path)
    if (next === mark) return mark
    mark = next
  }
  return mark
}
