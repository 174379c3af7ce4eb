import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Installation, rialtoProgram } from '../../support/gateway/rialto-command.ts'
import { waitFor } from '../../support/wait-for.ts'

const spokenMs = 30_000
/** A test that fails leaves no command behind. */
const endMs = 120_000
/** The variable that holds the target's address; nobody else may read it off a list of processes. */
const targetVariable = 'TARGET_URL'

export interface Migration {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface MigrationOptions {
  readonly url: string
  readonly parameters?: readonly string[]
  readonly failpoint?: string
}

/** `rialto migrate sqlite-to-postgres` as an operator starts it, with what it prints. */
export class MigrateProcess {
  stdout = ''
  stderr = ''
  readonly ended: Promise<Migration>
  readonly #child: ChildProcess

  constructor({ folder, environment }: Installation, { url, parameters = [], failpoint }: MigrationOptions) {
    const words = [rialtoProgram, 'migrate', 'sqlite-to-postgres', '--to-env', targetVariable, ...parameters]
    const armed = failpoint === undefined ? {} : { RIALTO_FAILPOINT: failpoint }
    this.#child = spawn(process.execPath, words, {
      cwd: folder,
      env: { ...environment, ...armed, [targetVariable]: url },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: endMs,
      killSignal: 'SIGKILL',
    })
    for (const name of ['stdout', 'stderr'] as const) {
      this.#child[name]?.setEncoding('utf8')
      this.#child[name]?.on('data', (piece: string) => {
        this[name] += piece
      })
    }
    this.ended = once(this.#child, 'close').then(([code, signal]) => {
      const { stdout, stderr } = this
      return { code: code as number | null, signal: signal as NodeJS.Signals | null, stdout, stderr }
    })
  }

  /** Resolves when it asks for the gateway to be stopped. */
  async asksToStop(): Promise<void> {
    await waitFor('the migration to ask', () => this.stderr.includes('Stop the gateway now'), { withinMs: spokenMs })
  }
}

/** Runs it to its end. */
export function migrate(installation: Installation, options: MigrationOptions): Promise<Migration> {
  return new MigrateProcess(installation, options).ended
}
