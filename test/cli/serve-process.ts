import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Installation, rialtoProgram } from '../support/gateway/rialto-command.ts'
import { waitFor } from '../support/wait-for.ts'

const readyMs = 60_000

/** `rialto serve` as an operator starts it, with what it prints. */
export class ServeProcess {
  stdout = ''
  stderr = ''
  readonly ended: Promise<number | null>
  readonly #child: ChildProcess
  #isOver = false

  constructor({ folder, environment }: Installation, parameters: readonly string[]) {
    const words = [rialtoProgram, 'serve', ...parameters]
    this.#child = spawn(process.execPath, words, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const name of ['stdout', 'stderr'] as const) {
      this.#child[name]?.setEncoding('utf8')
      this.#child[name]?.on('data', (piece: string) => {
        this[name] += piece
      })
    }
    this.ended = once(this.#child, 'close').then(([code]) => {
      this.#isOver = true
      return code as number | null
    })
  }

  /** Resolves with the address of the line that says it is ready. */
  async ready(): Promise<string> {
    const match = await waitFor(
      `the gateway to be ready: ${this.stderr}`,
      () => {
        if (this.#isOver) throw new Error(`the gateway ended: ${this.stderr}`)
        return /^Ready on (http:\S+)$/m.exec(this.stdout)
      },
      { withinMs: readyMs },
    )
    return match[1] ?? ''
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.#isOver) this.#child.kill(signal)
  }

  /** Ends it, whatever it does. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.ended
  }
}
