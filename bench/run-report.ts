import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import type { Pinning } from './child-process.ts'
import { atMost, formatGoals, formatMemory, formatTable, type MemoryRow } from './report.ts'
import type { ScenarioFigures } from './rounds.ts'
import type { Scenario } from './scenarios.ts'
import type { Finding, Target, TargetName } from './target.ts'

/** Everything that a run has found. */
export interface RunReport extends ScenarioFigures {
  /** The scenario of the memory rows. */
  slow: Scenario
  memory: MemoryRow[]
  targets: Target[]
  skipped: Partial<Record<TargetName, string>>
  findings: Finding[]
  seconds: number
}

/** Prints the tables, the goals and the findings; `names` are the paths that were asked for. */
export function printReport(report: RunReport, names: readonly TargetName[]): void {
  const { reports, slow, memory, targets, skipped, findings, seconds } = report
  if (reports.length > 0) console.log(`\n${formatTable(reports, names)}\n`)
  if (memory.length > 0) console.log(`${formatMemory(slow, memory)}\n`)
  const readyMs = targets.find(({ name }) => name === 'rialto')?.readyMs
  const started = readyMs == null ? [] : [atMost('start to ready, s', readyMs / 1_000, 3)]
  for (const line of [...formatGoals(reports, memory), ...started]) console.log(line)
  for (const { text } of findings) console.log(text)
  for (const [name, reason] of Object.entries(skipped)) console.log(`skipped ${name}: ${reason}`)
  console.log(`\n${seconds.toFixed(0)} s in all`)
}

/** Writes every window, so that the spread can be judged and not only the best. */
export function writeReport(file: string, report: RunReport, circumstances: object): void {
  const { targets, ...figures } = report
  const machine = { processors: cpus().length, model: cpus()[0]?.model, node: process.version }
  const paths = targets.map(({ name, version, readyMs, completed }) => ({ name, version, readyMs, completed }))
  writeFileSync(file, `${JSON.stringify({ ...circumstances, machine, paths, ...figures }, null, 2)}\n`)
}

export function printMachine({ subject, rig }: Pinning): void {
  const pinned =
    subject === null ? 'nothing is pinned' : `paths on processor ${subject}, load and engine on processor ${rig}`
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.versions.node}; ${pinned}`)
  console.log(`load average before the run: ${(loadavg()[0] ?? 0).toFixed(2)}\n`)
}
