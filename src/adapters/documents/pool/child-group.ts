import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GroupFiles } from './group-files.ts'

/** Processes and threads. Node has a dozen; a picture that is decoded adds a few. */
export const processesMax = 256
/** What was killed leaves its group when its memory is given back. */
const removalAttempts = 40
const removalEveryMs = 50

/** One control group with one child in it, and with whatever the child starts. */
export interface ChildGroup {
  /** Ends all that is in the group, also what left the child's process group. */
  kill(): void
  /** Whether the kernel ended something in it because its memory was full. */
  hasOverflowed(): boolean
  /** Takes the empty group away. Never rejects: what cannot be taken away is tried again by the next gateway. */
  remove(): Promise<void>
}

/** Makes a group with its bounds and puts a process into it; null where that does not work. */
export function openChildGroup(
  folder: string,
  { pid, memoryBytesMax, files }: { readonly pid: number; readonly memoryBytesMax: number; readonly files: GroupFiles },
): ChildGroup | null {
  const set = (name: string, value: number | string) => files.write(join(folder, name), `${value}`)
  try {
    files.make(folder)
    set('memory.max', memoryBytesMax)
    set('memory.oom.group', 1)
    set('pids.max', processesMax)
    if (files.list(folder).includes('memory.swap.max')) set('memory.swap.max', 0)
    set('cgroup.procs', pid)
  } catch {
    tryToRemove(folder, files)
    return null
  }
  return {
    kill() {
      try {
        set('cgroup.kill', 1)
      } catch {
        // Kernels before 5.14 have no such file, and there the process group is all that is ended.
      }
    },
    hasOverflowed() {
      try {
        return /^oom_kill [1-9]/m.test(files.read(join(folder, 'memory.events')))
      } catch {
        // Somebody else took the group away, so that nothing is known of it.
        return false
      }
    },
    async remove() {
      for (let attempt = 0; attempt < removalAttempts; attempt += 1) {
        if (tryToRemove(folder, files)) return
        await sleep(removalEveryMs)
      }
    },
  }
}

/** Whether the group is gone. One that still has a process stays. */
export function tryToRemove(folder: string, files: GroupFiles): boolean {
  try {
    files.remove(folder)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
