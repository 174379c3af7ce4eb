import { setTimeout as sleep } from 'node:timers/promises'
import type { InstallationStore } from './installation-store.ts'
import { type Installation, runRialto } from './rialto-command.ts'

/** What `rialto ledger verify --json` prints (operator.md §6). */
export interface LedgerReport {
  readonly ok: boolean
  readonly accounts: number
  readonly transfers: number
  readonly holdsOpen: number
  readonly usageRecords: number
  readonly problems: readonly string[]
}

const holdsWithinMs = 8_000
const pollMs = 20

export async function verifyByCommand(installation: Installation): Promise<LedgerReport> {
  const { code, stdout, stderr } = await runRialto(installation, ['ledger', 'verify', '--json'])
  if (stdout === '') throw new Error(`ledger verify ended with ${code}: ${stderr}`)
  const report = JSON.parse(stdout) as LedgerReport
  if (report.ok !== (code === 0)) throw new Error(`ledger verify says ok: ${report.ok} and ends with ${code}`)
  return report
}

/** Verifies again until no hold is open, for a few seconds: a settlement may be on its way when a test ends. */
export async function verifyWhenQuiet(store: InstallationStore): Promise<LedgerReport> {
  const deadline = performance.now() + holdsWithinMs
  for (;;) {
    const report = await store.verify()
    if (report.holdsOpen === 0 || performance.now() > deadline) return report
    await sleep(pollMs)
  }
}
