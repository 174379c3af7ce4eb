import { performance } from 'node:perf_hooks'
import type { UsageStore } from '../../src/domain/usage/usage-store.ts'
import type { QueryKind } from './query-kinds.ts'

export interface Figure {
  readonly name: string
  readonly p50Ms: number
  readonly p95Ms: number
  /** Shown in the last run. */
  readonly rows: number
}

export interface Measured {
  readonly figures: readonly Figure[]
  /** What the control takes in 95 of 100 cases, in times of what it takes at its best: above 1 on a busy machine. */
  readonly slowdown: number
}

export interface Measurement {
  readonly store: UsageStore
  readonly kinds: readonly QueryKind[]
  /** Of each kind, one after the other. */
  readonly runs: number
  /** A statement of constant work, which tells a busy machine from a slow query. */
  control(): Promise<unknown>
}

const warmUpRuns = 3
const runsPerControl = 4

/** Asks each question after a warm-up with the same owners. */
export async function measureQueries({ store, kinds, runs, control }: Measurement): Promise<Measured> {
  const figures: Figure[] = []
  const controls: number[] = []
  for (const { name, prepare } of kinds) {
    const times: number[] = []
    let rows = 0
    for (let run = -warmUpRuns; run < runs; run++) {
      const ask = await prepare(store, Math.abs(run))
      if (run % runsPerControl === 0) controls.push(await timed(control))
      const tookMs = await timed(async () => {
        rows = await ask()
      })
      if (run >= 0) times.push(tookMs)
    }
    figures.push({ name, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), rows })
  }
  return { figures, slowdown: quantile(controls, 0.95) / Math.min(...controls) }
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await run()
  return performance.now() - startedMs
}

/** The nearest rank. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}

/** As in docs/usage-queries.md. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = figures.map(({ name, p50Ms, p95Ms }) => `| ${name} | ${p50Ms.toFixed(1)} | ${p95Ms.toFixed(1)} |`)
  return ['| Query | p50 ms | p95 ms |', '| --- | --- | --- |', ...lines].join('\n')
}
