import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { isJsonObject, parseJson } from '../../lib/json.ts'
import { packageFolder } from '../../lib/package-folder.ts'

/** Loading reads the whole file once; on a slow disk that takes its time. */
const startMsMax = 180_000
/** From a closed stdin to a dead process; after it the child is killed. */
const stopMsMax = 3_000
const lineCharactersMax = 2_000

/** The engine is a package of its own, so that its binaries never burden the gateway's installation. */
const folder = new URL('gguf/', packageFolder)

export interface LaunchOptions {
  readonly file: string
  readonly contextTokens: number | undefined
  readonly threads: number | undefined
  readonly key: string
  /** 0 lets the system choose. */
  readonly port: number
  /** A line that the child or llama.cpp wrote to stderr. */
  readonly onMessage: (text: string) => void
}

export interface GgufChild {
  readonly pid: number
  readonly port: number
  readonly model: string
  readonly contextTokens: number
  readonly threads: number
  /** Resolves when the process is gone, with how it ended: an exit code or a signal's name. */
  readonly exited: Promise<string>
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>

/**
 * Starts one child and waits until it serves. It holds the other end of the child's stdin, so the child ends when this
 * process does, however it ends. Aborting the signal ends the child.
 */
export async function launchGgufChild(options: LaunchOptions, signal: AbortSignal): Promise<GgufChild> {
  signal.throwIfAborted()
  const child = spawnChild(options)
  const exited = watchExit(child)
  const end = (): void => endChild(child)
  signal.addEventListener('abort', end, { once: true })
  void exited.then(() => signal.removeEventListener('abort', end))
  try {
    return { pid: child.pid ?? 0, ...(await readReport(child, exited)), exited }
  } catch (error) {
    endChild(child)
    await exited
    signal.throwIfAborted()
    throw error
  }
}

function spawnChild(options: LaunchOptions): Child {
  if (!existsSync(new URL('node_modules/node-llama-cpp/package.json', folder))) {
    throw new Error('The GGUF engine is not installed. Run: npm ci --prefix gguf --omit=optional')
  }
  const main = new URL('dist/main.js', folder)
  if (!existsSync(main)) throw new Error('The GGUF engine is not built. Run: npm run build')
  const numbers = { port: options.port, context: options.contextTokens, threads: options.threads }
  const words = Object.entries(numbers).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, `${value}`],
  )
  const child = spawn(process.execPath, [fileURLToPath(main), '--file', options.file, ...words], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nothing of the gateway's environment: its secrets have no business in a process that reads foreign model files.
    env: { RIALTO_GGUF_KEY: options.key },
  })
  // A child that is gone makes writes fail; its exit tells that better.
  child.stdin.on('error', () => undefined)
  createInterface({ input: child.stderr }).on('line', line => {
    if (line.trim() !== '') options.onMessage(line.slice(0, lineCharactersMax))
  })
  return child
}

function watchExit(child: Child): Promise<string> {
  return new Promise(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
  })
}

function endChild(child: Child): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.stdin.end()
  const kill = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
  child.once('exit', () => clearTimeout(kill))
}

type Report = Omit<GgufChild, 'pid' | 'exited'>

/** The child's one line on stdout. @throws Error when it failed, ended or took too long. */
async function readReport(child: Child, exited: Promise<string>): Promise<Report> {
  const lines = createInterface({ input: child.stdout })
  let timer: NodeJS.Timeout | undefined
  const line = await Promise.race([
    new Promise<string>(resolve => lines.once('line', resolve)),
    exited.then(exit => Promise.reject(new Error(`The GGUF engine ended while it started (${exit}).`))),
    new Promise<never>((_resolve, reject) => {
      const late = new Error(`The GGUF engine was not ready after ${startMsMax / 1_000} s.`)
      timer = setTimeout(() => reject(late), startMsMax)
    }),
  ]).finally(() => clearTimeout(timer))
  return decodeReport(line)
}

function decodeReport(line: string): Report {
  const report = parseJson(line, { lengthMax: lineCharactersMax })
  if (!isJsonObject(report)) throw new Error('The GGUF engine reported nothing that can be read.')
  const { event, port, model, contextTokens, threads, message } = report
  if (event !== 'ready') throw new Error(`The GGUF engine could not start: ${String(message)}`)
  if (
    typeof port === 'number' &&
    typeof model === 'string' &&
    typeof contextTokens === 'number' &&
    typeof threads === 'number'
  ) {
    return { port, model, contextTokens, threads }
  }
  throw new Error('The GGUF engine reported nothing that can be read.')
}
