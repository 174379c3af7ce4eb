import { describe, expect, it } from 'vitest'
import { FakeTime, settle } from '../../../test/support/fake-time.ts'
import { createSlots, type Slots } from './node-slots.ts'

const never = new AbortController().signal

function slotsOf(
  limit: number | (() => number),
  { queueMax = 3, waitMs = 1_000 } = {},
): { slots: Slots; time: FakeTime } {
  const time = new FakeTime()
  const limitOf = typeof limit === 'number' ? () => limit : limit
  return { slots: createSlots({ limit: limitOf, queueMax, waitMs, timers: time.timers }), time }
}

function outcome(promise: Promise<void>): Promise<string> {
  return promise.then(
    () => 'taken',
    (error: { kind: string }) => error.kind,
  )
}

describe('the places of a node', () => {
  it('are as many as the limit says; 0 means none', () => {
    const { slots } = slotsOf(2)
    expect([slots.tryTake(), slots.tryTake(), slots.tryTake()]).toEqual([true, true, false])
    expect(slotsOf(0).slots.tryTake()).toBe(false)
  })

  it('go to those who wait, in the order in which they came', async () => {
    const { slots } = slotsOf(1)
    await slots.take(never)
    const order: string[] = []
    const waits = ['first', 'second', 'third'].map(name => slots.take(never).then(() => order.push(name)))
    for (let count = 0; count < 3; count += 1) {
      await settle()
      slots.give()
    }
    await Promise.all(waits)
    expect(order).toEqual(['first', 'second', 'third'])
    expect(slots.taken).toBe(1)
  })

  it('are not taken past somebody who waits', async () => {
    let limit = 1
    const { slots } = slotsOf(() => limit)
    await slots.take(never)
    const waiting = slots.take(never)
    limit = 2
    expect(slots.tryTake()).toBe(false)
    slots.give()
    await waiting
    expect(slots.taken).toBe(1)
  })

  it('admit as many as a limit that grew allows, and none while it has shrunk', async () => {
    let limit = 1
    const { slots } = slotsOf(() => limit)
    await slots.take(never)
    const waits = Promise.all([slots.take(never), slots.take(never)])
    limit = 2
    slots.give()
    await waits
    expect([slots.taken, slots.queued]).toEqual([2, 0])
    limit = 1
    const last = outcome(slots.take(never))
    slots.give()
    await settle()
    expect(slots.queued).toBe(1)
    slots.give()
    expect(await last).toBe('taken')
  })

  it('refuse at once when the queue is full', async () => {
    const { slots } = slotsOf(0, { queueMax: 1 })
    const first = outcome(slots.take(never))
    expect(await outcome(slots.take(never))).toBe('queue_full')
    expect(slots.queued).toBe(1)
    expect(await Promise.race([first, settle().then(() => 'waiting')])).toBe('waiting')
  })

  it('refuse after the wait, and leave no timer behind', async () => {
    const { slots, time } = slotsOf(0, { waitMs: 1_000 })
    const wait = outcome(slots.take(never))
    await time.advance(999)
    expect(slots.queued).toBe(1)
    await time.advance(1)
    expect(await wait).toBe('queue_timeout')
    expect([slots.queued, time.waiting]).toEqual([0, 0])
  })

  it('forget whoever gives up, wherever in the queue', async () => {
    const { slots, time } = slotsOf(1)
    await slots.take(never)
    const abort = new AbortController()
    const given = outcome(slots.take(abort.signal))
    const patient = outcome(slots.take(never))
    abort.abort()
    expect(await given).toBe('aborted')
    slots.give()
    expect(await patient).toBe('taken')
    expect([slots.taken, time.waiting]).toEqual([1, 0])
    expect(await outcome(slots.take(abort.signal))).toBe('aborted')
  })
})
