import { describe, expect, it } from 'vitest'
import { noFees } from '../../../core/price.ts'
import { StoreConflict, StoreUnavailable } from '../../../core/store-error.ts'
import { createGroupClient, type GroupClientParts } from './group-client.ts'
import type { Operation, OperationResult } from './operations.ts'

interface Sent {
  readonly group: readonly Operation[]
  answer(...results: readonly OperationResult[]): void
  lose(error: Error): void
}

/** A channel whose groups the test answers by hand. */
function createTestClient(parts: Partial<GroupClientParts> = {}) {
  const sent: Sent[] = []
  const client = createGroupClient({
    channel: {
      run: group =>
        new Promise((resolve, reject) => {
          sent.push({ group, answer: (...results) => resolve(results), lose: reject })
        }),
      close: async () => undefined,
    },
    clock: { monotonic: () => 0 },
    ...parts,
  })
  const next = async () => {
    await expect.poll(() => sent.length).toBeGreaterThan(0)
    return sent.shift() as Sent
  }
  return { client, sent, next }
}

const done: OperationResult = { value: undefined }
const unavailable: OperationResult = { error: { name: 'StoreUnavailable', message: 'locked' } }
const probe = { kind: 'probe' } as const
const call = (method: string) => ({ kind: 'call', call: { store: 'usage', method, parameters: [] } }) as const
const mark = (chargeNano: bigint) =>
  ({
    kind: 'mark',
    mark: { holdId: 'h', chargeNano, promptTokens: 0, completionTokens: 0, fees: noFees, atMs: 0 },
  }) as const

describe('a group', () => {
  it('is what was asked in one turn of the event loop, and the next waits for its answer', async () => {
    const { client, sent, next } = createTestClient()
    const answers = Promise.all(['a', 'b', 'c'].map(name => client.run(call(name))))
    const first = await next()
    expect(first.group).toHaveLength(3)
    const later = Promise.all(['d', 'e'].map(name => client.run(call(name))))
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(sent).toHaveLength(0)
    first.answer({ value: 1 }, { value: 2 }, { value: 3 })
    expect(await answers).toEqual([1, 2, 3])
    const second = await next()
    second.answer({ value: 4 }, { value: 5 })
    expect(await later).toEqual([4, 5])
  })

  it('has at most 256 operations', async () => {
    const { client, next } = createTestClient()
    const all = Promise.all(Array.from({ length: 300 }, () => client.run(probe)))
    const sizes = []
    for (const size of [256, 44]) {
      const { group, answer } = await next()
      sizes.push(group.length)
      answer(...Array.from({ length: size }, () => done))
    }
    await all
    expect(sizes).toEqual([256, 44])
  })

  it('gives each operation its own result or error', async () => {
    const { client, next } = createTestClient()
    const results = Promise.allSettled(['a', 'b', 'c'].map(name => client.run(call(name))))
    const { answer } = await next()
    answer({ value: 1 }, { error: { name: 'StoreConflict', message: 'taken' } }, { value: 3 })
    expect(await results).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new StoreConflict('taken') },
      { status: 'fulfilled', value: 3 },
    ])
  })
})

describe('an operation', () => {
  it('replaces one of the same name that was not sent yet, and is written with it', async () => {
    const { client, sent, next } = createTestClient()
    const marks = [1n, 2n, 3n].map(nano => client.run(mark(nano), { replaces: 'h' }))
    const first = await next()
    expect(first.group).toEqual([mark(3n)])
    const later = client.run(mark(4n), { replaces: 'h' })
    first.answer(done)
    await Promise.all(marks)
    const second = await next()
    expect(second.group).toEqual([mark(4n)])
    second.answer(done)
    await later
    expect(sent).toHaveLength(0)
  })

  it('is refused when 10,000 wait already, unless it must be kept', async () => {
    const { client, next } = createTestClient()
    const waiting = Array.from({ length: 10_000 }, () => client.run(probe))
    await expect(client.run(probe)).rejects.toThrow(StoreUnavailable)
    const kept = client.run(probe, { keep: true })
    ;(await next()).lose(new Error('enough'))
    const results = await Promise.allSettled([...waiting, kept])
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  })

  it('is refused when its time is over, whether it waits or was sent', async () => {
    const time = { now: 0 }
    const late: unknown[] = []
    const { client, next } = createTestClient({
      clock: { monotonic: () => time.now },
      onLate: (operation, value) => late.push([operation, value]),
    })
    const sentOne = client.run(call('sent'), { waitMs: 50 })
    const { answer } = await next()
    const waitingOne = client.run(call('waiting'), { waitMs: 50 })
    time.now = 50
    await expect(sentOne).rejects.toThrow(StoreUnavailable)
    await expect(waitingOne).rejects.toThrow(StoreUnavailable)
    answer({ value: 'too late' })
    await expect.poll(() => late).toEqual([[call('sent'), 'too late']])
  })
})

describe('a kept operation', () => {
  it('is tried again until it is durable; until then nothing is admitted', async () => {
    const stuck: boolean[] = []
    const { client, next } = createTestClient({ onStuck: value => stuck.push(value) })
    const kept = client.run(probe, { keep: true })
    ;(await next()).answer(unavailable)
    await expect.poll(() => stuck).toEqual([true])
    const admission = { kind: 'admit', request: {} } as unknown as Extract<Operation, { kind: 'admit' }>
    await expect(client.run(admission)).rejects.toThrow(StoreUnavailable)
    const second = await next()
    expect(second.group).toEqual([probe])
    second.answer(unavailable)
    ;(await next()).answer(done)
    await kept
    expect(stuck).toEqual([true, false])
    const admitted = client.run(admission)
    ;(await next()).answer({ value: 'yes' })
    expect(await admitted).toBe('yes')
  })

  it('fails for good when it is refused for another reason', async () => {
    const { client, next } = createTestClient()
    const kept = client.run(probe, { keep: true })
    ;(await next()).answer({ error: { name: 'RangeError', message: 'no such hold' } })
    await expect(kept).rejects.toThrow(RangeError)
  })
})

describe('the end', () => {
  it('refuses everything when the channel is lost', async () => {
    const { client, next } = createTestClient()
    const first = client.run(probe, { keep: true })
    const { lose } = await next()
    const waiting = client.run(probe)
    lose(new Error('gone'))
    for (const promise of [first, waiting, client.run(probe)]) await expect(promise).rejects.toThrow(StoreUnavailable)
  })

  it('waits for what was accepted, and refuses what comes after', async () => {
    const { client, next } = createTestClient()
    const accepted = client.run(call('a'))
    const closing = client.close()
    await expect(client.run(probe)).rejects.toThrow(StoreUnavailable)
    ;(await next()).answer({ value: 1 })
    expect(await accepted).toBe(1)
    await closing
    await expect(client.run(probe)).rejects.toThrow(StoreUnavailable)
  })
})
