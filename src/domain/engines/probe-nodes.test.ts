import { describe, expect, it } from 'vitest'
import { fails, hangs, ok, requestFor, ScriptedEngine, says, servedBy } from '../../../test/engines/scripted-engine.ts'
import { FakeTime, settle } from '../../../test/support/fake-time.ts'
import { MemoryLogger } from '../../../test/support/memory-logger.ts'
import { createFault } from './create-fault.ts'
import { createEngines } from './engines.ts'

function watched(...engines: ScriptedEngine[]) {
  const time = new FakeTime()
  const random = { bytes: (count: number) => Buffer.alloc(count), hex: () => '' }
  const all = createEngines({ engines, clock: time.clock, timers: time.timers, random, logger: new MemoryLogger() })
  const served = servedBy(...engines.map(({ id }) => id))
  const call = () =>
    all.run(requestFor(served)).then(
      run => run.done('answered', { completionTokens: 0, ms: 0 }),
      () => undefined,
    )
  return { all, time, call }
}

const unreachable = async () => {
  throw createFault('connect_refused')
}

describe('watching nodes', () => {
  it('asks every node once at the start, so that readiness is true from then on', async () => {
    const a = new ScriptedEngine('a')
    a.probeScript = unreachable
    const { all } = watched(a)
    const stop = all.startProbing()
    await settle()
    expect([a.probes, all.hasUsableNode(), all.views()[0]?.lastError]).toEqual([1, false, 'connect_refused'])
    stop()
  })

  it('asks a node again within seconds that was not ready at the start', async () => {
    const a = new ScriptedEngine('a')
    a.probeScript = async () => {
      throw createFault('bad_answer')
    }
    const { all, time } = watched(a)
    const stop = all.startProbing()
    await time.advance(4_000)
    expect(all.hasUsableNode()).toBe(false)
    a.probeScript = async () => undefined
    await time.advance(2_000)
    expect([a.probes, all.hasUsableNode()]).toEqual([2, true])
    stop()
  })

  it('asks a node that nobody asked for half a minute, and no busy one', async () => {
    const a = new ScriptedEngine('a')
    const { all, time, call } = watched(a)
    const stop = all.startProbing()
    await time.advance(25_000)
    await call()
    await time.advance(25_000)
    expect(a.probes).toBe(1)
    await time.advance(10_000)
    expect(a.probes).toBe(2)
    stop()
  })

  it('brings a node back within seconds once it can be reached again', async () => {
    const a = new ScriptedEngine('a', { scripts: [fails('connect_refused')] })
    a.probeScript = unreachable
    const { all, time, call } = watched(a, new ScriptedEngine('b'))
    for (let count = 0; count < 6; count += 1) await call()
    const stop = all.startProbing()
    await time.advance(4_000)
    expect(all.views()[0]?.state).toBe('ejected')
    a.probeScript = async () => undefined
    await time.advance(5_000)
    expect(all.views()[0]?.state).toBe('healthy')
    stop()
  })

  it('does not bring a node back before its time that answers questions and fails calls', async () => {
    const a = new ScriptedEngine('a', { scripts: [says(500)] })
    const { all, time, call } = watched(a, new ScriptedEngine('b'))
    for (let count = 0; count < 6; count += 1) await call()
    const stop = all.startProbing()
    await time.advance(25_000)
    expect(all.views()[0]?.state).toBe('ejected')
    await time.advance(10_000)
    expect(all.views()[0]?.state).toBe('failing')
    await call()
    expect(all.views()[0]?.state).toBe('ejected')
    stop()
  })

  it('keeps a dead node out for longer without spending a call on it', async () => {
    const a = new ScriptedEngine('a', { scripts: [fails('connect_refused')] })
    a.probeScript = unreachable
    const { all, time, call } = watched(a, new ScriptedEngine('b'))
    for (let count = 0; count < 6; count += 1) await call()
    const stop = all.startProbing()
    await time.advance(80_000)
    await call()
    expect([a.calls.length, all.views()[0]?.state]).toEqual([5, 'ejected'])
    stop()
  })

  it('ejects a quiet node that is gone', async () => {
    const a = new ScriptedEngine('a')
    a.probeScript = unreachable
    const { all, time } = watched(a, new ScriptedEngine('b'))
    const stop = all.startProbing()
    await time.advance(30_000)
    expect(all.views()[0]?.state).toBe('ejected')
    stop()
  })

  it('waits five seconds for an answer, and asks one question at a time', async () => {
    const a = new ScriptedEngine('a')
    let open = 0
    a.probeScript = signal => {
      open += 1
      return hangs()(undefined as never, signal).then(
        () => undefined,
        error => {
          open -= 1
          throw error
        },
      )
    }
    const { all, time } = watched(a)
    const stop = all.startProbing()
    await time.advance(4_900)
    expect(open).toBe(1)
    await time.advance(100)
    expect(all.views()[0]?.lastError).toBe('first_byte_timeout')
    await time.advance(60_000)
    expect(open).toBeLessThanOrEqual(1)
    stop()
  })

  it('has at most eight questions open at a time', async () => {
    let open = 0
    const engines = Array.from({ length: 20 }, (_, index) => {
      const engine = new ScriptedEngine(`node-${index}`)
      engine.probeScript = signal => {
        open += 1
        return hangs()(undefined as never, signal).then(() => undefined)
      }
      return engine
    })
    const { all } = watched(...engines)
    const stop = all.startProbing()
    await settle()
    expect(open).toBe(8)
    stop()
  })

  it('stops when it is told to, questions included, and changes nothing afterwards', async () => {
    const a = new ScriptedEngine('a')
    a.probeScript = signal => hangs()(undefined as never, signal).then(() => undefined)
    const { all, time } = watched(a)
    const stop = all.startProbing()
    await settle()
    stop()
    await settle()
    await time.advance(600_000)
    expect([a.probes, time.waiting, all.views()[0]?.lastError]).toEqual([1, 0, null])
  })

  it('leaves a draining node alone', async () => {
    const a = new ScriptedEngine('a', { scripts: [ok()] })
    const { all, time } = watched(a)
    all.setDrained(new Set(['a']))
    const stop = all.startProbing()
    await time.advance(100_000)
    expect(a.probes).toBeLessThanOrEqual(1)
    stop()
  })
})
