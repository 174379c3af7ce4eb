import { describe, expect, it } from 'vitest'
import {
  type FixedBody,
  fails,
  hangs,
  ok,
  reply,
  requestFor,
  ScriptedEngine,
  says,
  servedBy,
} from '../../../test/engines/scripted-engine.ts'
import { FakeTime, settle } from '../../../test/support/fake-time.ts'
import { MemoryLogger } from '../../../test/support/memory-logger.ts'
import { GatewayError } from '../../core/gateway-error.ts'
import type { Random } from '../../core/random.ts'
import { createFault } from './create-fault.ts'
import { createEngines, type EngineRequest, type EngineRun, EnginesFailure } from './engines.ts'
import type { EngineReply } from './types.ts'

const measured = { completionTokens: 0, ms: 0 }

/** Always draws the first of equals, so that the order is that of the list. */
const firstOfEquals: Random = { bytes: count => Buffer.alloc(count), hex: count => '00'.repeat(count) }

function nodes(...engines: ScriptedEngine[]) {
  const time = new FakeTime()
  const logger = new MemoryLogger()
  const all = createEngines({ engines, clock: time.clock, timers: time.timers, random: firstOfEquals, logger })
  return { all, time, logger, served: servedBy(...engines.map(({ id }) => id)) }
}

async function failureOf(run: Promise<unknown>): Promise<EnginesFailure> {
  const error = await run.then(
    () => new Error('expected a failure'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof EnginesFailure)) throw error
  return error
}

async function runToEnd(
  all: ReturnType<typeof createEngines>,
  request: EngineRequest<EngineReply>,
): Promise<EngineRun<EngineReply>> {
  const run = await all.run(request)
  run.done('answered', measured)
  return run
}

describe('a call', () => {
  it('is answered by the first node, with its own name of the model', async () => {
    const [a, b] = [new ScriptedEngine('a'), new ScriptedEngine('b')]
    const { all, served } = nodes(a, b)
    const sent: string[] = []
    const run = await runToEnd(all, requestFor(served, { onSent: ({ id }) => sent.push(id) }))
    expect([run.node.id, run.attempts, sent]).toEqual(['a', [{ node: 'a', status: 200, ms: 0 }], ['a']])
    expect([a.calls[0]?.engineModel, b.calls.length]).toEqual(['model-of-a', 0])
  })

  it.each([500, 502, 503, 504, 529, 429, 401, 403, 404, 302, 204])('goes to the next node after %d', async status => {
    const [a, b] = [new ScriptedEngine('a', { scripts: [says(status)] }), new ScriptedEngine('b')]
    const { all, served } = nodes(a, b)
    const run = await runToEnd(all, requestFor(served))
    expect(run.attempts.map(attempt => [attempt.node, attempt.status])).toEqual([
      ['a', status],
      ['b', 200],
    ])
  })

  it.each(['connect_refused', 'connect_timeout', 'reset', 'tls', 'dns', 'first_byte_timeout', 'bad_answer'] as const)(
    'goes to the next node after %s',
    async kind => {
      const { all, served } = nodes(new ScriptedEngine('a', { scripts: [fails(kind)] }), new ScriptedEngine('b'))
      const run = await runToEnd(all, requestFor(served))
      expect(run.attempts.map(({ status }) => status)).toEqual([kind, 200])
    },
  )

  it('goes to the next node when the beginning of an answer is not accepted', async () => {
    const { all, served } = nodes(new ScriptedEngine('a', { scripts: [ok('bad')] }), new ScriptedEngine('b'))
    const bodies: FixedBody[] = []
    const accept = async (answer: EngineReply) => {
      if (answer.kind === 'bytes') bodies.push(answer.body as FixedBody)
      if (bodies.length === 1) throw createFault('bad_answer')
      return answer
    }
    const run = await runToEnd(all, requestFor(served, { accept }))
    expect(run.attempts.map(({ status }) => status)).toEqual(['bad_answer', 200])
    expect(bodies.map(({ cancelled }) => cancelled)).toEqual([true, false])
  })

  it('asks at most three nodes', async () => {
    const engines = ['a', 'b', 'c', 'd'].map(id => new ScriptedEngine(id, { scripts: [says(500)] }))
    const { all, served } = nodes(...engines)
    const failure = await failureOf(all.run(requestFor(served)))
    expect([failure.error.status, failure.attempts.length]).toEqual([502, 3])
    expect(engines.map(({ calls }) => calls.length)).toEqual([1, 1, 1, 0])
  })

  it('asks no node twice, and stops when all were asked', async () => {
    const a = new ScriptedEngine('a', { scripts: [fails('first_byte_timeout')] })
    const failure = await failureOf(nodes(a).all.run(requestFor(servedBy('a'))))
    expect([failure.error.status, a.calls.length, failure.worked]).toEqual([504, 1, true])
  })

  it.each([400, 402, 413, 422])('that an engine refuses with %d is not repeated', async status => {
    const body = JSON.stringify({
      error: { message: 'model-of-a at http://10.0.0.7/ says no', code: 'no', param: 'n' },
    })
    const [a, b] = [new ScriptedEngine('a', { scripts: [says(status, body)] }), new ScriptedEngine('b')]
    const { all, served } = nodes(a, b)
    const failure = await failureOf(all.run(requestFor(served)))
    expect([failure.error.status, failure.error.message]).toEqual([status, 'public/model at [removed] says no'])
    expect(failure.error.options).toMatchObject({ param: 'n', engine: { status, code: 'no', param: 'n' } })
    expect([b.calls.length, failure.worked, all.views()[0]?.inFlight]).toEqual([0, false, 0])
  })

  it('with no node at all, or none that takes calls, has no capacity', async () => {
    const { all, served } = nodes(new ScriptedEngine('a'))
    expect((await failureOf(all.run(requestFor(servedBy('unknown'))))).error.status).toBe(503)
    all.setDrained(new Set(['a', 'unknown']))
    const failure = await failureOf(all.run(requestFor(served)))
    expect([failure.error.code, failure.worked, failure.attempts]).toEqual(['no_capacity', false, []])
    expect(failure.error.message).toContain('taken out of service by the operator')
  })

  it('never goes to a node without any places, and does not wait for one', async () => {
    const { all, served } = nodes(new ScriptedEngine('a', { maxConcurrency: 0 }))
    expect((await failureOf(all.run(requestFor(served)))).error.code).toBe('no_capacity')
  })

  it('is logged where it failed, with the node and no more', async () => {
    const { all, served, logger } = nodes(
      new ScriptedEngine('a', { scripts: [says(503), says(400)] }),
      new ScriptedEngine('b'),
    )
    await runToEnd(all, requestFor(served))
    await failureOf(all.run(requestFor(served)))
    expect(logger.lines).toEqual([
      { level: 'warn', event: 'engine.attempt_failed', fields: { node: 'a', status: 503, ms: 0 } },
    ])
  })

  it('is told to wait when every node says 429', async () => {
    const { all, served } = nodes(
      new ScriptedEngine('a', { scripts: [says(429, '', 9_000)] }),
      new ScriptedEngine('b', { scripts: [says(429, '', 4_000)] }),
    )
    const { error } = await failureOf(all.run(requestFor(served)))
    expect([error.status, error.options.retryAfterSeconds]).toEqual([429, 4])
  })

  it('ends with the error that its reader throws, without another node', async () => {
    const b = new ScriptedEngine('b')
    const { all, served } = nodes(new ScriptedEngine('a'), b)
    const accept = async () => {
      throw new GatewayError('invalid_value', 'no')
    }
    const failure = await failureOf(all.run(requestFor(served, { accept })))
    expect([failure.error.code, b.calls.length, all.views()[0]?.inFlight]).toEqual(['invalid_value', 0, 0])
  })

  it('hides what nobody foresaw, and gives the place back', async () => {
    const { all, served } = nodes(new ScriptedEngine('a', { scripts: [] }))
    const { error } = await failureOf(all.run(requestFor(served)))
    expect([error.code, all.views()[0]?.inFlight]).toEqual(['internal', 0])
  })

  it('takes events as an answer', async () => {
    const events = { [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true as const, value: undefined }) }) }
    const { all, served } = nodes(new ScriptedEngine('a', { scripts: [async () => ({ kind: 'events', events })] }))
    expect((await runToEnd(all, requestFor(served))).value).toEqual({ kind: 'events', events })
  })
})

describe('a connection that died while it was idle', () => {
  const stale = fails('reset', { staleConnection: true })

  it('is replaced once, on the same node, as one attempt', async () => {
    const a = new ScriptedEngine('a', { scripts: [stale, ok()] })
    const { all } = nodes(a)
    const run = await runToEnd(all, requestFor(servedBy('a')))
    expect([run.attempts.map(({ status }) => status), a.calls.length]).toEqual([[200], 2])
  })

  it('is not replaced twice', async () => {
    const [a, b] = [new ScriptedEngine('a', { scripts: [stale] }), new ScriptedEngine('b')]
    const { all, served } = nodes(a, b)
    const run = await runToEnd(all, requestFor(served))
    expect([run.node.id, a.calls.length]).toEqual(['b', 2])
  })
})

describe('giving up', () => {
  it('while an engine works ends the call there', async () => {
    const [a, b] = [new ScriptedEngine('a', { scripts: [hangs()] }), new ScriptedEngine('b')]
    const { all, served } = nodes(a, b)
    const abort = new AbortController()
    const run = failureOf(all.run(requestFor(served, { signal: abort.signal })))
    await settle()
    abort.abort()
    const failure = await run
    expect([failure.attempts.map(({ status }) => status), failure.worked]).toEqual([['aborted'], true])
    expect([b.calls.length, all.views()[0]?.inFlight, all.views()[0]?.lastError]).toEqual([0, 0, null])
  })

  it('while the call waits for a place asks no engine', async () => {
    const a = new ScriptedEngine('a', { maxConcurrency: 1 })
    const { all, time } = nodes(a)
    const running = await all.run(requestFor(servedBy('a')))
    const abort = new AbortController()
    const waiting = failureOf(all.run(requestFor(servedBy('a'), { signal: abort.signal })))
    await settle()
    abort.abort()
    const failure = await waiting
    expect([failure.worked, failure.attempts, a.calls.length, time.waiting]).toEqual([false, [], 1, 0])
    running.done('answered', measured)
  })
})

describe('a place on a node', () => {
  it('is held until the answer is done, and given back once', async () => {
    const { all } = nodes(new ScriptedEngine('a'))
    const run = await all.run(requestFor(servedBy('a')))
    expect(all.views()[0]?.inFlight).toBe(1)
    run.done('answered', measured)
    run.done('fault', measured)
    expect(all.views()[0]).toMatchObject({ inFlight: 0, lastError: null })
  })

  it('is sought on another node before it is waited for', async () => {
    const { all, served } = nodes(new ScriptedEngine('a', { maxConcurrency: 1 }), new ScriptedEngine('b'))
    const first = await all.run(requestFor(served))
    const second = await all.run(requestFor(served))
    expect([first.node.id, second.node.id]).toEqual(['a', 'b'])
  })

  it('is waited for, first come first served', async () => {
    const { all } = nodes(new ScriptedEngine('a', { maxConcurrency: 1 }))
    const running = await all.run(requestFor(servedBy('a')))
    const waiting = all.run(requestFor(servedBy('a')))
    await settle()
    expect(all.views()[0]).toMatchObject({ inFlight: 1, queued: 1 })
    running.done('answered', measured)
    expect((await waiting).node.id).toBe('a')
  })

  it('that does not come free in ten seconds is no capacity', async () => {
    const { all, time } = nodes(new ScriptedEngine('a', { maxConcurrency: 1 }))
    await all.run(requestFor(servedBy('a')))
    const waiting = failureOf(all.run(requestFor(servedBy('a'))))
    await time.advance(10_000)
    const { error } = await waiting
    expect([error.code, error.options.retryAfterSeconds]).toEqual(['no_capacity', 5])
  })
})

describe('a node that keeps failing', () => {
  it('is left out after five faults, and nobody notices', async () => {
    const a = new ScriptedEngine('a', { scripts: [fails('connect_refused')] })
    const { all, served, logger, time } = nodes(a, new ScriptedEngine('b'))
    for (let count = 0; count < 20; count += 1) expect((await runToEnd(all, requestFor(served))).node.id).toBe('b')
    expect(a.calls).toHaveLength(5)
    expect(all.views()[0]).toMatchObject({ state: 'ejected', lastError: 'connect_refused' })
    expect(logger.events().filter(event => event === 'engine.ejected')).toHaveLength(1)
    a.play(ok())
    await time.advance(30_000)
    expect((await runToEnd(all, requestFor(served))).node.id).toBe('a')
    expect([all.views()[0]?.state, logger.events('info')]).toEqual(['healthy', ['engine.recovered']])
  })

  it('is left out when it breaks off answers that it began', async () => {
    const { all, served } = nodes(new ScriptedEngine('a'), new ScriptedEngine('b'))
    for (let count = 0; count < 8; count += 1) {
      const run = await all.run(requestFor(served))
      run.done(run.node.id === 'a' ? 'fault' : 'answered', measured)
    }
    expect(all.views().map(({ state }) => state)).toEqual(['ejected', 'healthy'])
  })

  it('stays in when it is the only one, and is asked each time', async () => {
    const a = new ScriptedEngine('a', { scripts: [says(500)] })
    const { all } = nodes(a)
    for (let count = 0; count < 9; count += 1) await failureOf(all.run(requestFor(servedBy('a'))))
    expect([a.calls.length, all.views()[0]?.state]).toEqual([9, 'failing'])
  })

  it('takes at most half of the nodes with it', async () => {
    const engines = ['a', 'b', 'c', 'd', 'e'].map(id => new ScriptedEngine(id, { scripts: [says(500)] }))
    const { all, served } = nodes(...engines)
    for (let count = 0; count < 50; count += 1) await failureOf(all.run(requestFor(served)))
    expect(all.views().filter(({ state }) => state === 'ejected')).toHaveLength(2)
    expect(all.views().filter(({ state }) => state === 'failing')).toHaveLength(3)
  })

  it('is never shown as healthy while it fails, not even a lone one, which stays in service', async () => {
    const a = new ScriptedEngine('a', { scripts: [says(500)] })
    const { all, served } = nodes(a)
    for (let count = 0; count < 5; count += 1) await failureOf(all.run(requestFor(served)))
    expect([all.views()[0]?.state, all.hasUsableNode()]).toEqual(['failing', false])
    a.play(ok())
    await runToEnd(all, requestFor(served))
    expect([all.views()[0]?.state, all.hasUsableNode()]).toEqual(['healthy', true])
  })

  it('is asked as the last resort when the others fail, so that a call is never refused unasked', async () => {
    const [a, b] = [new ScriptedEngine('a', { scripts: [says(500)] }), new ScriptedEngine('b')]
    const { all, served } = nodes(a, b)
    for (let count = 0; count < 6; count += 1) await runToEnd(all, requestFor(served))
    a.play(ok())
    b.play(says(500))
    const run = await runToEnd(all, requestFor(served))
    expect(run.attempts.map(({ node }) => node)).toEqual(['b', 'a'])
  })

  it('gets one call at a time when its ejection is over', async () => {
    const [a, b] = [new ScriptedEngine('a', { scripts: [says(500)] }), new ScriptedEngine('b')]
    const { all, served, time } = nodes(a, b)
    for (let count = 0; count < 6; count += 1) await runToEnd(all, requestFor(served))
    a.play(hangs())
    await time.advance(30_000)
    const abort = new AbortController()
    const trial = failureOf(all.run(requestFor(served, { signal: abort.signal })))
    await settle()
    expect(all.views()[0]?.state).toBe('probing')
    expect((await runToEnd(all, requestFor(served))).node.id).toBe('b')
    abort.abort()
    await trial
    a.play(ok())
    expect((await runToEnd(all, requestFor(served))).node.id).toBe('a')
  })

  it("is not blamed for a caller's fault, for an overload, or for our own stops", async () => {
    const a = new ScriptedEngine('a', { scripts: [says(400), says(429), fails('total_timeout'), says(422)] })
    const { all, served } = nodes(a, new ScriptedEngine('b'))
    for (let count = 0; count < 30; count += 1) await runToEnd(all, requestFor(served)).catch(() => undefined)
    expect(all.views()[0]?.state).toBe('healthy')
  })

  it('because of our key raises one alarm until it works again', async () => {
    const a = new ScriptedEngine('a', { scripts: [says(401), says(401), ok(), says(403)] })
    const { all, logger } = nodes(a)
    for (let count = 0; count < 4; count += 1) await runToEnd(all, requestFor(servedBy('a'))).catch(() => undefined)
    const alarms = logger.lines.filter(({ level }) => level === 'error')
    expect(alarms.map(({ event, fields }) => [event, fields])).toEqual([
      ['engine.misconfigured', { node: 'a', status: 401 }],
      ['engine.misconfigured', { node: 'a', status: 403 }],
    ])
  })

  it('is asked after the others for as long as it says that it is overloaded', async () => {
    const a = new ScriptedEngine('a', { scripts: [says(429, '', 8_000), ok()] })
    const { all, served, time } = nodes(a, new ScriptedEngine('b'))
    const order: string[] = []
    for (let count = 0; count < 3; count += 1) order.push((await runToEnd(all, requestFor(served))).node.id)
    await time.advance(8_000)
    order.push((await runToEnd(all, requestFor(served))).node.id)
    expect(order).toEqual(['b', 'b', 'b', 'a'])
  })
})

describe('many calls that fail at once', () => {
  const count = 60

  it('all go to the living node when the other one went away', async () => {
    const [a, b] = [new ScriptedEngine('a', { maxConcurrency: 100 }), new ScriptedEngine('b', { maxConcurrency: 100 })]
    a.play(fails('reset'))
    const { all, served } = nodes(a, b)
    const runs = await Promise.all(Array.from({ length: count }, () => all.run(requestFor(served))))
    expect(runs.map(({ node }) => node.id)).toEqual(Array(count).fill('b'))
  })

  it('share the retry budget when the failing node lives: no more than a fifth at a time, and none is turned away', async () => {
    let onSecond = 0
    let most = 0
    const a = new ScriptedEngine('a', { maxConcurrency: 100, scripts: [says(500)] })
    const b = new ScriptedEngine('b', { maxConcurrency: 100 })
    b.play(async () => {
      onSecond += 1
      most = Math.max(most, onSecond)
      await settle()
      onSecond -= 1
      return reply(200)
    })
    const { all } = nodes(a, b)
    // Everybody asks `a` first: it alone has room for all, and `b` has none of the weight.
    const served = [servedBy('a')[0], { ...servedBy('b')[0], weight: 1e-9 }] as ReturnType<typeof servedBy>
    const runs = await Promise.all(Array.from({ length: count }, () => all.run(requestFor(served))))
    expect(runs).toHaveLength(count)
    expect(most).toBeLessThanOrEqual(12)
    expect(a.calls.length).toBeGreaterThanOrEqual(5)
  })
})

describe('another set of nodes', () => {
  it('takes over at once; a node that left finishes its call and is then closed', async () => {
    const [a, b] = [new ScriptedEngine('a'), new ScriptedEngine('b')]
    const { all } = nodes(a)
    const running = await all.run(requestFor(servedBy('a')))
    all.replace([b])
    expect(all.views().map(({ id }) => id)).toEqual(['b'])
    expect(a.closed).toBe(false)
    running.done('answered', measured)
    expect(a.closed).toBe(true)
    expect((await runToEnd(all, requestFor(servedBy('a', 'b')))).node.id).toBe('b')
  })

  it('keeps what is known of an engine that stays, and closes an idle one that left', async () => {
    const [a, b, c] = [
      new ScriptedEngine('a', { scripts: [says(500)] }),
      new ScriptedEngine('b'),
      new ScriptedEngine('c'),
    ]
    const { all, served } = nodes(a, b)
    for (let count = 0; count < 6; count += 1) await runToEnd(all, requestFor(served))
    all.replace([a, c])
    expect(all.views().map(({ id, state }) => [id, state])).toEqual([
      ['a', 'ejected'],
      ['c', 'healthy'],
    ])
    expect([a.closed, b.closed]).toEqual([false, true])
  })

  it('serves those who wait for a node that leaves', async () => {
    const a = new ScriptedEngine('a', { maxConcurrency: 1 })
    const { all } = nodes(a)
    const running = await all.run(requestFor(servedBy('a')))
    const waiting = all.run(requestFor(servedBy('a')))
    await settle()
    all.replace([])
    running.done('answered', measured)
    const last = await waiting
    expect(a.closed).toBe(false)
    last.done('answered', measured)
    expect(a.closed).toBe(true)
  })
})

describe('what is known of the nodes', () => {
  it('are their limits: the longest counts', () => {
    const slow = Object.assign(new ScriptedEngine('slow'), { totalMs: 600_000, streamTotalMs: 3_600_000 })
    const { all } = nodes(new ScriptedEngine('a'), slow)
    expect([all.totalMs(servedBy('a', 'slow'), false), all.totalMs(servedBy('a', 'slow'), true)]).toEqual([
      600_000, 3_600_000,
    ])
    expect([all.totalMs([], false), all.totalMs(servedBy('gone'), true)]).toEqual([540_000, 1_800_000])
  })

  it('is their speed, once they have answered', async () => {
    const { all } = nodes(new ScriptedEngine('a'))
    expect([all.medianTokensPerSecond('a'), all.medianTokensPerSecond('gone')]).toEqual([20, 20])
    const run = await all.run(requestFor(servedBy('a')))
    run.done('answered', { completionTokens: 100, ms: 2_000 })
    expect(all.medianTokensPerSecond('a')).toBe(50)
    const broken = await all.run(requestFor(servedBy('a')))
    broken.done('fault', { completionTokens: 1, ms: 2_000 })
    expect(all.medianTokensPerSecond('a')).toBe(50)
  })

  it('is whether one of them is of use', async () => {
    const a = new ScriptedEngine('a')
    const { all } = nodes(a)
    expect(all.hasUsableNode()).toBe(true)
    a.play(says(500))
    await failureOf(all.run(requestFor(servedBy('a'))))
    expect(all.hasUsableNode()).toBe(false)
    a.play(ok())
    await runToEnd(all, requestFor(servedBy('a')))
    a.play(says(500))
    await failureOf(all.run(requestFor(servedBy('a'))))
    expect(all.hasUsableNode()).toBe(true)
    all.setDrained(new Set(['a']))
    expect([all.hasUsableNode(), all.views()[0]?.state]).toEqual([false, 'draining'])
    expect(nodes().all.hasUsableNode()).toBe(false)
  })

  it('ends when they are closed', async () => {
    const a = new ScriptedEngine('a')
    const { all } = nodes(a)
    await all.close()
    expect([a.closed, all.views()]).toEqual([true, []])
  })
})
