import { describe, expect, it } from 'vitest'
import { FakeTime } from '../../../test/support/fake-time.ts'
import { createRetryBudget, retriesAllowed } from './retry-budget.ts'

describe('the retry budget', () => {
  it.each([
    [0, 3],
    [15, 3],
    [19, 3],
    [20, 4],
    [500, 100],
  ])('allows of %d active requests %d to retry at a time', (active, allowed) => {
    expect(retriesAllowed(active)).toBe(allowed)
  })

  it('lets the others wait for ten seconds', async () => {
    const time = new FakeTime()
    const retries = createRetryBudget({ active: () => 10, timers: time.timers })
    const signal = new AbortController().signal
    await Promise.all([retries.take(signal), retries.take(signal), retries.take(signal)])
    const fourth = retries.take(signal).then(
      () => 'taken',
      (error: { kind: string }) => error.kind,
    )
    await time.advance(10_000)
    expect(await fourth).toBe('queue_timeout')
  })
})
