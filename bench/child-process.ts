import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A process that the bench started; it never ends any other. */
export interface Child {
  pid: number
  process: ChildProcess
  /** Resolves when the process has ended, with its exit code (null: by a signal). */
  ended: Promise<number | null>
  hasEnded(): boolean
  /** Asks the process to end, and ends it by force after `graceMs`. */
  stop(graceMs?: number): Promise<void>
}

export interface ChildOptions {
  /** Processor to pin to; null: wherever the system likes. */
  processor: number | null
  environment?: NodeJS.ProcessEnv
  directory?: string
  /** Standard input, output and error, as `spawn` takes them. */
  stdio: ('pipe' | 'ignore' | 'inherit' | number)[]
}

/** Pins a process; part of util-linux. */
const pinProgram = 'taskset'
const defaultGraceMs = 10_000

export function startChild(command: readonly string[], options: ChildOptions): Child {
  const pinned = options.processor === null ? command : [pinProgram, '-c', String(options.processor), ...command]
  const [program = '', ...parameters] = pinned
  const child = spawn(program, parameters, {
    env: options.environment ?? process.env,
    cwd: options.directory,
    stdio: options.stdio,
  })
  const ended = new Promise<number | null>(resolve => {
    child.on('exit', resolve)
    child.on('error', () => resolve(null))
  })
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  return {
    pid: child.pid ?? 0,
    process: child,
    ended,
    hasEnded: () => hasEnded,
    async stop(graceMs = defaultGraceMs) {
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await ended
      clearTimeout(force)
    },
  }
}

/** Command line of a TypeScript file of this folder, run by the same Node. */
export function typescriptCommand(file: URL, ...parameters: string[]): string[] {
  return [process.execPath, '--import', 'tsx', fileURLToPath(file), ...parameters]
}

/** What is measured runs on one processor, what measures on the other. */
export interface Pinning {
  subject: number | null
  rig: number | null
}

/** The first two processors that this process may use; nulls where there is one only, or no `taskset`. */
export function choosePinning(): Pinning {
  const [subject, rig] = allowedProcessors()
  if (subject === undefined || rig === undefined) return { subject: null, rig: null }
  const works = spawnSync(pinProgram, ['-c', String(subject), 'true']).status === 0
  return works ? { subject, rig } : { subject: null, rig: null }
}

function allowedProcessors(): number[] {
  try {
    const status = readFileSync('/proc/self/status', 'latin1')
    const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? ''
    return list.split(',').flatMap(expandRange)
  } catch {
    return [] // Not Linux: nothing is pinned.
  }
}

function expandRange(range: string): number[] {
  const [first, last = first] = range.split('-').map(Number)
  if (first === undefined || last === undefined) return []
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
