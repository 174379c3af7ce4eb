import type { LoadResult } from './load.ts'
import type { LoadConnectionEvents } from './load-connection.ts'
import { createSamples } from './samples.ts'

export interface LoadMeter extends Omit<LoadConnectionEvents, 'onIdle'> {
  /** `performance.now()` of its making. */
  createdAt: number
  begin(): void
  end(): void
  /** To be called once, at the end. */
  result(): Omit<LoadResult, 'open' | 'cpuMicros' | 'rssBytes'>
}

/** After as many faults the run ends early. */
const maxFaults = 100
const keptReasons = 5

/** Counts what happens between `begin` and `end`; faults count always. */
export function createLoadMeter(maxAnswers: number, onFull: () => void): LoadMeter {
  const latencies = createSamples(maxAnswers)
  const firstBytes = createSamples(maxAnswers)
  const gaps = createSamples(maxAnswers)
  const reasons = new Set<string>()
  const createdAt = performance.now()
  let [events, completed, checked, faults, seconds] = [0, 0, 0, 0, 0]
  let beganAt = 0
  let isCounting = false

  return {
    createdAt,
    begin() {
      beganAt = performance.now()
      isCounting = true
    },
    end() {
      isCounting = false
      seconds = (performance.now() - beganAt) / 1_000
    },
    onFirstByte(milliseconds) {
      if (isCounting) firstBytes.add(milliseconds)
    },
    onEvents(count, gap) {
      if (!isCounting) return
      events += count
      gaps.add(gap)
    },
    onAnswer(milliseconds, isChecked) {
      completed++
      if (isChecked) checked++
      if (!isCounting) return
      latencies.add(milliseconds)
      if (latencies.count() >= maxAnswers) onFull()
    },
    onFault(reason) {
      if (reasons.size < keptReasons) reasons.add(reason)
      if (++faults >= maxFaults) onFull()
    },
    result: () => ({
      answers: latencies.count(),
      events,
      seconds,
      completed,
      checked,
      faults,
      reasons: [...reasons],
      latency: latencies.summarize(),
      firstByte: firstBytes.summarize(),
      gap: gaps.summarize(),
    }),
  }
}
