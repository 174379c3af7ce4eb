import { readFileSync } from 'node:fs'

/** What a process has used: resident memory now, processor time since it began. */
export interface ProcessReading {
  readonly memoryBytes: number
  readonly cpuMs: number
}

/** USER_HZ: the unit of processor time in /proc, 100 on every Linux that Node runs on. */
const ticksPerSecond = 100
/** After the command's name, which is in parentheses and may hold anything, utime is the 12th field and stime the 13th. */
const userTicksField = 11

/**
 * Reads /proc, where there is one. It is read at once and not through the thread pool, because a measure that waits
 * behind slow files comes too late; it takes some 20 µs. Null when the process is gone or cannot be measured here.
 */
export function readProcess(pid: number): ProcessReading | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1')
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const memoryKiB = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[userTicksField]) + Number(fields[userTicksField + 1])
    return { memoryBytes: memoryKiB * 1_024, cpuMs: (ticks * 1_000) / ticksPerSecond }
  } catch {
    return null
  }
}
