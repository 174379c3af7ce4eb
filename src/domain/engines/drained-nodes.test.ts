import { describe, expect, it } from 'vitest'
import { requestFor, ScriptedEngine, servedBy } from '../../../test/engines/scripted-engine.ts'
import { FakeTime, settle } from '../../../test/support/fake-time.ts'
import { MemoryLogger } from '../../../test/support/memory-logger.ts'
import type { Random } from '../../core/random.ts'
import { createEngines, type EngineRequest, type EngineRun, EnginesFailure } from './engines.ts'
import type { EngineReply } from './types.ts'

const measured = { completionTokens: 0, ms: 0 }

/** Always draws the first of equals, so that the order is that of the list. */
const firstOfEquals: Random = { bytes: count => Buffer.alloc(count), hex: count => '00'.repeat(count) }

function nodes(...engines: ScriptedEngine[]) {
  const { clock, timers } = new FakeTime()
  const logger = new MemoryLogger()
  const all = createEngines({ engines, clock, timers, random: firstOfEquals, logger })
  return { all, logger, served: servedBy(...engines.map(({ id }) => id)) }
}

type All = ReturnType<typeof nodes>['all']

async function runToEnd(all: All, request: EngineRequest<EngineReply>): Promise<EngineRun<EngineReply>> {
  const run = await all.run(request)
  run.done('answered', measured)
  return run
}

async function failureOf(run: Promise<unknown>): Promise<EnginesFailure> {
  const error = await run.catch((thrown: unknown) => thrown)
  if (error instanceof EnginesFailure) return error
  throw new Error('expected a failure', { cause: error })
}

describe('a drained node', () => {
  const drained = (...ids: string[]) => new Set(ids)

  it('ends what runs on it, gets nothing more, and serves again when it is taken back', async () => {
    const [a, b] = [new ScriptedEngine('a'), new ScriptedEngine('b')]
    const { all, served, logger } = nodes(a, b)
    const running = await all.run(requestFor(served))
    all.setDrained(drained('a'))
    all.setDrained(drained('a'))
    expect(all.views()[0]).toMatchObject({ state: 'draining', inFlight: 1 })
    expect((await runToEnd(all, requestFor(served))).node.id).toBe('b')
    running.done('answered', measured)
    expect(all.views()[0]).toMatchObject({ state: 'draining', inFlight: 0 })
    all.setDrained(drained())
    expect((await runToEnd(all, requestFor(served))).node.id).toBe('a')
    expect(logger.events('info')).toEqual(['engine.draining', 'engine.resumed'])
  })

  it('sends what waits for it to the others, and to none when all are drained', async () => {
    const engines = ['a', 'b'].map(id => new ScriptedEngine(id, { maxConcurrency: 1 }))
    const { all, served } = nodes(...engines)
    const running = [await all.run(requestFor(served)), await all.run(requestFor(served))]
    const waiting = [runToEnd(all, requestFor(served)), runToEnd(all, requestFor(served))]
    await settle()
    const queued = () => all.views().map(view => view.queued)
    all.setDrained(drained('a'))
    await settle()
    expect(queued()).toEqual([0, 2])
    running[1]?.done('answered', measured)
    expect((await waiting[0])?.node.id).toBe('b')
    expect((await waiting[1])?.node.id).toBe('b')
    const held = await all.run(requestFor(served))
    const last = failureOf(all.run(requestFor(served)))
    await settle()
    all.setDrained(drained('a', 'b'))
    expect((await last).error).toMatchObject({ code: 'no_capacity', status: 503 })
    expect((await last).error.message).toContain('taken out of service by the operator')
    held.done('answered', measured)
  })

  it('stays drained when its configuration changes, and when it is new', async () => {
    const { all } = nodes(new ScriptedEngine('a'))
    all.setDrained(drained('a', 'b'))
    all.replace([new ScriptedEngine('a'), new ScriptedEngine('b'), new ScriptedEngine('c')])
    expect(all.views().map(({ state }) => state)).toEqual(['draining', 'draining', 'healthy'])
  })
})
