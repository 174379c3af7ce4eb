import type { LoadResult } from './load.ts'
import type { LatencySummary } from './samples.ts'
import type { Scenario } from './scenarios.ts'
import type { TargetName } from './target.ts'

/** One measured window, in the units of the report. */
export interface Measurement {
  scenario: string
  target: TargetName
  /** Whole answers per second. */
  answersPerSecond: number
  /** Events per second of a paced stream; null where events are not counted. */
  eventsPerSecond: number | null
  /** CPU of the target's process tree per request, stream or event, microseconds. */
  cpuMicrosPerUnit: number | null
  /** Milliseconds, of the whole answer or between two events of a stream, as the scenario says. */
  latency: LatencySummary
  /** Milliseconds from the request to the head of the answer. */
  firstByte: LatencySummary
  rssBytes: number | null
  /** Streams or requests in flight at the end of the window. */
  open: number
  /** Answers read and checked in full. */
  checked: number
}

export function measure(scenario: Scenario, target: TargetName, result: LoadResult): Measurement {
  const units = scenario.unit === 'event' ? result.events : result.answers
  return {
    scenario: scenario.name,
    target,
    answersPerSecond: result.answers / result.seconds,
    eventsPerSecond: scenario.unit === 'event' ? result.events / result.seconds : null,
    cpuMicrosPerUnit: result.cpuMicros === null || units === 0 ? null : result.cpuMicros / units,
    latency: scenario.latencyOf === 'answer' ? result.latency : result.gap,
    firstByte: result.firstByte,
    rssBytes: result.rssBytes,
    open: result.open,
    checked: result.checked,
  }
}

/** The best of several windows, reported as a whole: figures of different windows are never mixed in one row. */
export function chooseBest(scenario: Scenario, measurements: readonly Measurement[]): Measurement | null {
  const score = ({ cpuMicrosPerUnit, latency }: Measurement) =>
    scenario.bestBy === 'cpu' && cpuMicrosPerUnit !== null ? cpuMicrosPerUnit : latency.p50
  const sorted = [...measurements].sort((left, right) => score(left) - score(right))
  return sorted[0] ?? null
}
