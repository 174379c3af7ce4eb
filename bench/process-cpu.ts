import { readdirSync, readFileSync } from 'node:fs'

/** CPU and memory of a process and of everything that it started. */
export interface ProcessTreeUse {
  /** User and system time of all threads, of children, and of children that have ended: microseconds, in steps of 10,000. */
  cpuMicros: number
  /** Resident memory in bytes, summed over the processes (shared pages count once per process). */
  rssBytes: number
  processes: number
}

/** The kernel reports process times in hundredths of a second on every architecture that Node runs on. */
const microsPerTick = 10_000
const bytesPerKibibyte = 1_024

interface ProcessRow {
  parent: number
  cpuTicks: number
}

/**
 * Reads the process accounting of the tree under `rootPid` from `/proc`.
 * @returns null where there is no `/proc` (macOS) and when the process has ended
 */
export function readProcessTree(rootPid: number): ProcessTreeUse | null {
  const rows = readProcessTable()
  if (!rows.has(rootPid)) return null
  const use: ProcessTreeUse = { cpuMicros: 0, rssBytes: 0, processes: 0 }
  for (const [pid, row] of rows) {
    if (!isWithin(rows, pid, rootPid)) continue
    use.cpuMicros += row.cpuTicks * microsPerTick
    use.rssBytes += readRss(pid)
    use.processes++
  }
  return use
}

function readProcessTable(): Map<number, ProcessRow> {
  const rows = new Map<number, ProcessRow>()
  for (const name of listProc()) {
    if (!/^\d+$/.test(name)) continue
    const text = readProcFile(`/proc/${name}/stat`)
    // The second field is the command in parentheses and may hold spaces; the fields are counted behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    if (fields.length < 15) continue
    const [user, system, childUser, childSystem] = [11, 12, 13, 14].map(index => Number(fields[index]))
    const cpuTicks = (user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0)
    rows.set(Number(name), { parent: Number(fields[1]), cpuTicks })
  }
  return rows
}

function isWithin(rows: Map<number, ProcessRow>, pid: number, rootPid: number): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 0; at = rows.get(at)?.parent) {
    if (at === rootPid) return true
  }
  return false
}

function readRss(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readProcFile(`/proc/${pid}/status`))
  return match === null ? 0 : Number(match[1]) * bytesPerKibibyte
}

function listProc(): string[] {
  try {
    return readdirSync('/proc')
  } catch {
    return [] // Not Linux: the bench prints its CPU columns empty.
  }
}

function readProcFile(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // The process ended between the listing and the reading.
  }
}
