import { readFileSync } from 'node:fs'

/** Whether a process runs. One that ended but was not waited for by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(status.slice(status.lastIndexOf(')') + 2))
  } catch {
    return false
  }
}
