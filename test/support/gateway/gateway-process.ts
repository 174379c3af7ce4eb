import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { exchange } from './http-exchange.ts'
import { type Installation, rialtoProgram } from './rialto-command.ts'

const readyMs = 60_000
const stopMs = 30_000
const outputCharactersMax = 256 * 1024 * 1024

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A test run that is stopped leaves no gateway behind. */
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** `rialto serve` as a child process. Only processes that were started here are ever signalled. */
export class GatewayProcess {
  readonly port: number
  readonly exited: Promise<Exit>
  readonly #child: ChildProcess
  readonly #pieces: string[] = []
  #size = 0
  #exit: Exit | undefined

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    running.add(child)
    this.port = port
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8')
      stream?.on('data', (piece: string) => this.#keep(piece))
    }
    this.exited = once(child, 'close').then(([code, signal]) => {
      running.delete(child)
      this.#exit = { code, signal }
      return this.#exit
    })
  }

  /** Starts the gateway on a port and resolves when it is ready. Throws, with its output, when it ends before. */
  static async start(installation: Installation, options: GatewayStart): Promise<GatewayProcess> {
    const { folder, configFile, environment } = installation
    const words = ['serve', '--config', configFile, '--port', String(options.port), ...(options.words ?? [])]
    const parameters = [rialtoProgram, ...words]
    const child = spawn(process.execPath, parameters, {
      cwd: folder,
      env: { ...environment, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const started = new GatewayProcess(child, options.port)
    try {
      if (options.untilReady ?? true) await started.#ready()
    } catch (error) {
      await started.kill()
      throw error
    }
    return started
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit
  }

  /** Everything that it printed so far, on both streams. */
  get output(): string {
    return this.#pieces.join('')
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#exit === undefined) this.#child.kill(signal)
  }

  /** SIGTERM, then SIGKILL when it does not end in time. */
  async stop(): Promise<Exit> {
    this.signal('SIGTERM')
    const force = setTimeout(() => this.signal('SIGKILL'), stopMs)
    const exit = await this.exited
    clearTimeout(force)
    return exit
  }

  kill(): Promise<Exit> {
    this.signal('SIGKILL')
    return this.exited
  }

  async #ready(): Promise<void> {
    const deadline = performance.now() + readyMs
    while (this.#exit === undefined && performance.now() < deadline) {
      if (await isReady(this.port)) return
      await sleep(25)
    }
    throw new Error(
      `the gateway is not ready: ${JSON.stringify(this.#exit ?? 'it runs')}\n${this.output.slice(-4_000)}`,
    )
  }

  #keep(piece: string): void {
    this.#size += piece.length
    if (this.#size > outputCharactersMax) this.#child.kill('SIGKILL')
    else this.#pieces.push(piece)
  }
}

export interface GatewayStart {
  readonly port: number
  /** Further words after `rialto serve`. */
  readonly words?: readonly string[]
  /** Added to the installation's environment for this run. */
  readonly environment?: Readonly<Record<string, string>>
  /** False for a start that is to fail or to die. Default true. */
  readonly untilReady?: boolean
}

async function isReady(port: number): Promise<boolean> {
  try {
    // On a connection of its own: one that stays open would keep a gateway from going that hands over to others.
    return (await exchange(`http://127.0.0.1:${port}/health/ready`, { withinMs: 2_000 })).status === 200
  } catch {
    return false
  }
}
