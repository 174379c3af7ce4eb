import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { ControlGroups } from './control-groups.ts'
import { StartError } from './start-error.ts'

export interface ChildCommand {
  readonly file: string
  readonly arguments: readonly string[]
}

export interface DocumentChild {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  /** Resolves when the process is gone and nothing is left of it, and never rejects. */
  readonly exited: Promise<void>
  /** Ends the process and whatever it started. Idempotent. */
  kill(): void
  /** Whether it is gone, or is about to be, so that no job should be given to it. */
  hasEnded(): boolean
  /** Whether the kernel ended it because its memory was full. */
  hasOverflowed(): boolean
}

/**
 * Starts a child that waits for one job. It gets nothing of the gateway's environment, and its stderr goes nowhere, since
 * it could hold parts of a document. It leads a process group of its own, so that what it starts is ended with it, and is
 * in a control group before its job comes, where there are any.
 * @throws StartError
 */
export function startChild({ file, arguments: words }: ChildCommand, groups: ControlGroups | null): DocumentChild {
  const child = spawnApart(file, words)
  // A child that is gone makes writes and reads fail; that it is gone tells enough.
  child.stdin.on('error', () => undefined)
  child.stdout.on('error', () => undefined)
  const group = groups?.add(child.pid) ?? null
  let ended = false
  let gone = false
  let overflowed = false
  const kill = () => {
    ended = true
    if (gone) return
    killGroup(child.pid)
    group?.kill()
  }
  const exited = new Promise<void>(resolve => {
    child.once('exit', async () => {
      // What it left behind still has its group; later the number may be another process's.
      kill()
      gone = true
      overflowed = group?.hasOverflowed() ?? false
      await group?.remove()
      resolve()
    })
  })
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    kill,
    hasEnded: () => ended,
    hasOverflowed: () => overflowed,
  }
}

type SpawnedChild = ChildProcessByStdio<Writable, Readable, null> & { readonly pid: number }

function spawnApart(file: string, words: readonly string[]): SpawnedChild {
  const child = trySpawn(file, words)
  // Some failures are thrown, others come as an event later, and then there may be no pipes.
  child?.on('error', () => undefined)
  if (child?.pid === undefined) throw new StartError()
  return child as SpawnedChild
}

function trySpawn(file: string, words: readonly string[]): ChildProcessByStdio<Writable, Readable, null> | null {
  try {
    return spawn(file, words, {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      // libvips would put what is large into a file, and glibc would keep an arena for each thread.
      env: { VIPS_DISC_THRESHOLD: '2g', MALLOC_ARENA_MAX: '2' },
      cwd: '/',
    })
  } catch {
    return null
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // ESRCH: nobody is left in the group.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
