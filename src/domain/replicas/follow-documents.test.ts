import { describe, expect, it } from 'vitest'
import { FakeTime, settle } from '../../../test/support/fake-time.ts'
import { MemoryLogger } from '../../../test/support/memory-logger.ts'
import { StoreUnavailable } from '../../core/store-error.ts'
import { followDocuments } from './follow-documents.ts'
import type { DocumentWatcher } from './shared-documents.ts'
import type { SharedDocument } from './types.ts'

function followed() {
  const time = new FakeTime()
  const logger = new MemoryLogger()
  const stored = new Map<string, SharedDocument>()
  const applied: string[] = []
  const asked: number[] = []
  const faults: { read?: Error | undefined; apply?: Error | undefined } = {}
  let version = 0
  let watcher: DocumentWatcher | null = null
  const follower = followDocuments({
    documents: {
      async readSince(since) {
        asked.push(since)
        if (faults.read !== undefined) throw faults.read
        return { version, documents: [...stored.values()].filter(document => document.version > since) }
      },
    },
    watch(given) {
      watcher = given
      return () => {
        watcher = null
      }
    },
    apply({ name, version: applying }) {
      if (faults.apply !== undefined) throw faults.apply
      applied.push(`${name} ${applying}`)
    },
    clock: time.clock,
    timers: time.timers,
    logger,
  })
  return {
    ...{ time, logger, applied, asked, faults, follower },
    write(name: string) {
      version += 1
      stored.set(name, { name, version, content: Buffer.from(name) })
    },
    hint: () => watcher?.onHint(),
    tell: (state: Parameters<DocumentWatcher['onState']>[0]) => watcher?.onState(state),
    isWatched: () => watcher !== null,
  }
}

describe('a follower of documents', () => {
  it('looks every half second at what is new, and every five seconds at everything', async () => {
    const { follower, time, write, applied, asked } = followed()
    write('a')
    follower.start()
    await settle()
    expect(applied).toEqual(['a 1'])
    write('b')
    await time.advance(500)
    expect([applied, asked]).toEqual([
      ['a 1', 'b 2'],
      [0, 1],
    ])
    await time.advance(4_500)
    expect(asked).toEqual([0, 1, ...Array(8).fill(2), 0])
    expect(applied).toEqual(['a 1', 'b 2', 'a 1', 'b 2'])
  })

  it('looks at once when it is told to, and not more than twenty times a second however often that is', async () => {
    const { follower, time, write, applied, asked, hint } = followed()
    follower.start()
    await time.advance(100)
    write('a')
    hint()
    await settle()
    expect(applied).toEqual(['a 1'])
    const before = asked.length
    for (let count = 0; count < 1_000; count++) {
      write('a')
      hint()
      await time.advance(1)
    }
    await time.advance(50)
    expect(applied.at(-1)).toBe('a 1001')
    expect(asked.length - before).toBeLessThanOrEqual(25)
  })

  it('is refreshed with what was stored before it was asked, also while it looks', async () => {
    const { follower, time, write, applied } = followed()
    const first = follower.refresh()
    write('a')
    const second = follower.refresh()
    await time.advance(50)
    await Promise.all([first, second])
    expect(applied).toContain('a 1')
  })

  it('says once that it cannot read, keeps what it had, and goes on when it can', async () => {
    const { follower, time, write, applied, logger, faults } = followed()
    follower.start()
    await settle()
    faults.read = new StoreUnavailable('gone')
    await expect(Promise.all([follower.refresh(), time.advance(3_000)])).rejects.toThrow('gone')
    write('a')
    faults.read = undefined
    await time.advance(500)
    expect(applied).toEqual(['a 1'])
    expect(logger.events()).toEqual(['replicas.unreadable', 'replicas.readable'])
  })

  it('applies the rest when one document cannot be applied, and says so once per version', async () => {
    const { follower, time, write, logger, faults } = followed()
    faults.apply = new Error('bad')
    write('a')
    write('b')
    follower.start()
    await time.advance(11_000)
    expect(logger.events('error')).toEqual(['replicas.apply_failed', 'replicas.apply_failed'])
    write('a')
    await time.advance(500)
    expect(logger.lines.at(-1)?.fields).toMatchObject({ document: 'a', version: 3 })
  })

  it('tries again with the next look what the store would not take', async () => {
    const { follower, time, write, applied, logger, faults } = followed()
    faults.apply = new StoreUnavailable('full')
    write('a')
    follower.start()
    await time.advance(1_000)
    faults.apply = undefined
    await time.advance(500)
    expect([applied, logger.events('error')]).toEqual([['a 1'], ['replicas.apply_failed']])
  })

  it('says when hints begin and stop to come', () => {
    const { follower, logger, tell } = followed()
    follower.start()
    for (const state of ['listening', 'listening', 'lost', 'lost', 'listening', 'not_delivered'] as const) tell(state)
    expect(logger.events()).toEqual([
      'replicas.listening',
      'replicas.polling',
      'replicas.listening',
      'replicas.polling',
    ])
  })

  it('does nothing any more once it has stopped', async () => {
    const { follower, time, write, applied, hint, isWatched } = followed()
    follower.start()
    await settle()
    const late = follower.refresh()
    const stopping = follower.stop()
    write('a')
    hint()
    await time.advance(10_000)
    await Promise.all([late, stopping])
    expect([applied, isWatched(), time.waiting]).toEqual([[], false, 0])
  })
})
