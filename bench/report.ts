import type { Measurement } from './measurement.ts'
import type { Goals, Scenario } from './scenarios.ts'
import type { TargetName } from './target.ts'

/** What many open streams cost on one path. */
export interface MemoryRow {
  target: TargetName
  idleBytes: number
  loadedBytes: number
  streams: number
}

/** The best window of each path, or why there is none. */
export interface ScenarioReport {
  scenario: Scenario
  rows: Partial<Record<TargetName, Measurement>>
}

const header = [
  'scenario',
  'path',
  'per s',
  'CPU µs',
  '÷nginx',
  'p50 ms',
  'p99 ms',
  '+p50',
  '+p99',
  'first p50',
  'first p99',
  'RSS MB',
]
const mebibyte = 1_048_576
const kibibyte = 1_024
const none = '–'

/** The scenarios as a table. A path of `names` without figures is shown as such; the reason is given elsewhere. */
export function formatTable(reports: readonly ScenarioReport[], names: readonly TargetName[]): string {
  const lines = reports.flatMap(({ scenario, rows }) => [
    [`${scenario.title} (per ${scenario.unit})`],
    ...names.map(name => {
      const row = rows[name]
      return row === undefined ? [scenario.name, name, none] : formatRow(row, rows)
    }),
  ])
  return alignColumns([header, ...lines])
}

/** Memory of a fresh process before and with the open streams. */
export function formatMemory(scenario: Scenario, rows: readonly MemoryRow[]): string {
  const lines = rows.map(row => [
    scenario.name,
    row.target,
    (row.idleBytes / mebibyte).toFixed(1),
    (row.loadedBytes / mebibyte).toFixed(1),
    String(row.streams),
    perStreamKibibytes(row).toFixed(1),
  ])
  return alignColumns([['memory', 'path', 'idle MB', 'loaded MB', 'streams', 'KiB each'], [scenario.title], ...lines])
}

/** One line per goal: what was to be reached, what was reached. */
export function formatGoals(reports: readonly ScenarioReport[], memory: readonly MemoryRow[]): string[] {
  const own = memory.find(({ target }) => target === 'rialto')
  return [
    ...reports.flatMap(report => scenarioGoals(report)),
    ...(own === undefined
      ? []
      : [
          atMost('RSS idle, MB', own.idleBytes / mebibyte, 150),
          atMost('RSS per open stream, KiB', perStreamKibibytes(own), 256),
        ]),
  ]
}

export function atMost(what: string, value: number, goal: number): string {
  return `${value <= goal ? 'met   ' : 'MISSED'}  ${what}: ${value.toFixed(2)} (goal: at most ${goal})`
}

function scenarioGoals({ scenario, rows }: ScenarioReport): string[] {
  const { goals, title } = scenario
  const { direct, nginx, rialto } = rows
  if (rialto === undefined) return []
  const ratio = nginx === undefined ? null : cpuRatio(rialto, nginx)
  const lines: (string | null)[] = [
    goal(goals, 'cpuRatio', value => (ratio === null ? null : atMost(`${title}: CPU ÷ nginx`, ratio, value))),
    goal(goals, 'addedP50Ms', value =>
      direct === undefined ? null : atMost(`${title}: added p50, ms`, rialto.latency.p50 - direct.latency.p50, value),
    ),
    goal(goals, 'answersPerSecond', value => {
      const isMet = rialto.answersPerSecond >= value
      return `${isMet ? 'met   ' : 'MISSED'}  ${title}: ${rialto.answersPerSecond.toFixed(0)} a second (goal: at least ${value})`
    }),
  ]
  return lines.filter(line => line !== null)
}

function goal(goals: Goals, name: keyof Goals, format: (value: number) => string | null): string | null {
  const value = goals[name]
  return value === undefined ? null : format(value)
}

function formatRow(row: Measurement, { direct, nginx }: ScenarioReport['rows']): string[] {
  const added = (value: number, base: number | undefined) =>
    base === undefined || row.target === 'direct' ? none : (value - base).toFixed(2)
  const ratio = nginx === undefined ? null : cpuRatio(row, nginx)
  return [
    row.scenario,
    row.target,
    Math.round(row.eventsPerSecond ?? row.answersPerSecond).toString(),
    row.cpuMicrosPerUnit?.toFixed(1) ?? none,
    ratio?.toFixed(2) ?? none,
    row.latency.p50.toFixed(2),
    row.latency.p99.toFixed(2),
    added(row.latency.p50, direct?.latency.p50),
    added(row.latency.p99, direct?.latency.p99),
    row.firstByte.p50.toFixed(2),
    row.firstByte.p99.toFixed(2),
    row.rssBytes === null ? none : (row.rssBytes / mebibyte).toFixed(1),
  ]
}

function cpuRatio(row: Measurement, nginx: Measurement): number | null {
  if (row.cpuMicrosPerUnit === null || nginx.cpuMicrosPerUnit === null) return null
  return row.cpuMicrosPerUnit / nginx.cpuMicrosPerUnit
}

function perStreamKibibytes({ idleBytes, loadedBytes, streams }: MemoryRow): number {
  return streams === 0 ? 0 : (loadedBytes - idleBytes) / streams / kibibyte
}

/** Rows with one cell are headings and take no part in the widths. */
function alignColumns(rows: readonly string[][]): string {
  const cells = rows.filter(row => row.length > 1)
  const widths = Array.from({ length: Math.max(...cells.map(row => row.length)) }, (_, column) =>
    Math.max(...cells.map(row => row[column]?.length ?? 0)),
  )
  const format = (row: string[]) =>
    row.length === 1
      ? `\n${row[0]}`
      : row
          .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
          .join('  ')
  return rows.map(format).join('\n')
}
