import { performance } from 'node:perf_hooks'
import { expect } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import type { Replica } from './replica-set.ts'

/** What the issue promises (operator.md §6). */
const promisedMs = 1_000
/** How much longer a machine may take that answers this question in so many milliseconds while nothing changes. */
const slackPerAnswer = 5
const slackMinMs = 250

type Probe = (replica: Replica) => Promise<boolean>

export interface Change {
  readonly replicas: readonly Replica[]
  /** Whether a replica answers as it does after the change. */
  readonly isThere: Probe
  /** Makes the change. What is measured begins when it has returned. */
  readonly make: () => Promise<unknown>
}

/** Makes a change and expects it on every replica within a second. Resolves with how long each took. */
export async function expectEverywhere({ replicas, isThere, make }: Change): Promise<number[]> {
  const beganMs = performance.now()
  const before = await Promise.all(replicas.map(isThere))
  expect(before, 'the change was there before it was made').not.toContain(true)
  const answerMs = performance.now() - beganMs
  await make()
  const sinceMs = performance.now()
  const delays = await Promise.all(
    replicas.map(async (replica, index) => {
      await waitFor(`the change to reach replica ${index}`, () => isThere(replica), { withinMs: 10_000, everyMs: 10 })
      return performance.now() - sinceMs
    }),
  )
  expect(Math.max(...delays)).toBeLessThan(promisedMs + Math.max(slackMinMs, slackPerAnswer * answerMs))
  return delays
}
