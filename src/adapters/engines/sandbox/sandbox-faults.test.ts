import { afterEach, describe, expect, it } from 'vitest'
import { engineCall } from '../../../../test/support/engine-call.ts'
import { FakeTime, settle } from '../../../../test/support/fake-time.ts'
import type { CompletionEvent } from '../../../core/completion-event.ts'
import type { FaultKind } from '../../../domain/engines/types.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { createSandboxEngine } from './sandbox-engine.ts'

let time = new FakeTime()

function createEngine() {
  time = new FakeTime()
  const { clock, timers } = time
  const timeouts = { firstByteMs: 5_000, idleMs: 3_000, totalMs: 540_000, streamTotalMs: 1_800_000 }
  return createSandboxEngine({ id: 'embedded', maxConcurrency: 64, onDisconnect: 'cancel', timeouts, clock, timers })
}

/** A call that is under way: what came of it so far, when, and how it ended. */
function start(prompt: string, fields: JsonObject = { stream: true }) {
  const abort = new AbortController()
  const seen: { readonly event: CompletionEvent; readonly atMs: number }[] = []
  const state: { opened: string | null; fault: unknown; over: boolean } = { opened: null, fault: null, over: false }
  const engine = createEngine()
  const startMs = time.nowMs
  const run = async () => {
    try {
      const reply = await engine.open(engineCall(prompt, fields), abort.signal)
      state.opened = reply.kind === 'bytes' ? `${reply.status} ${reply.retryAfterMs}` : reply.kind
      if (reply.kind === 'events')
        for await (const event of reply.events) seen.push({ event, atMs: time.nowMs - startMs })
    } catch (error) {
      state.fault = error
    } finally {
      state.over = true
    }
  }
  return { abort, seen, state, done: run() }
}

function textTimes(seen: ReturnType<typeof start>['seen']): number[] {
  return seen.slice(1).flatMap(({ event, atMs }) => (event.type === 'chunk' ? [atMs] : []))
}

const fault = (kind: FaultKind) => expect.objectContaining({ name: 'EngineFault', kind })

afterEach(() => {
  expect(time.waiting, 'no timer outlives its call').toBe(0)
})

describe('before the answer', () => {
  it.each([
    ['sandbox:refuse-connection', 'connect_refused'],
    ['sandbox:reset', 'reset'],
  ] as const)('%s fails as `%s`', async (input, kind) => {
    const call = start(input)
    await call.done
    expect(call.state.fault).toEqual(fault(kind))
  })

  it('hang ends with the first-byte timeout of the node', async () => {
    const call = start('sandbox:hang')
    await time.advance(4_999)
    expect(call.state.over).toBe(false)
    await time.advance(1)
    expect(call.state.fault).toEqual(fault('first_byte_timeout'))
  })

  it('status is answered with an error body and its Retry-After', async () => {
    const call = start('sandbox:status=429 sandbox:retry-after=7')
    await call.done
    expect(call.state.opened).toBe('429 7000')
  })

  it('garbage is a page with status 200', async () => {
    const call = start('sandbox:garbage')
    await call.done
    expect(call.state.opened).toBe('200 null')
  })

  it('first-token delays whatever comes, at most until the timeout', async () => {
    const answered = start('sandbox:first-token=2s')
    await time.advance(1_999)
    expect(answered.state.opened).toBeNull()
    await time.advance(1)
    await answered.done
    expect(answered.state).toMatchObject({ opened: 'events', fault: null })
    const late = start('sandbox:first-token=6s sandbox:status=503')
    await time.advance(5_000)
    expect(late.state.fault).toEqual(fault('first_byte_timeout'))
  })
})

describe('within the answer', () => {
  it('slow waits before each chunk with text', async () => {
    const call = start('sandbox:slow=50ms sandbox:tokens=4')
    await time.advance(200)
    await call.done
    expect(textTimes(call.seen)).toEqual([50, 100, 150, 200, 200])
  })

  it('slow beyond the patience of the gateway is a silent node', async () => {
    const call = start('sandbox:slow=4s')
    await time.advance(3_000)
    expect(call.state.fault).toEqual(fault('idle_timeout'))
  })

  it.each([
    ['sandbox:reset-after=3', 'reset', 1 + 3],
    ['sandbox:reset-after=0', 'reset', 1],
    ['sandbox:error-after=3', 'bad_answer', 1 + 3],
    ['sandbox:error-first', 'bad_answer', 0],
    ['sandbox:reset-after=99 sandbox:tokens=5', 'reset', 1 + 5],
  ] as const)('%s fails as `%s` after %i chunks, and before the finish', async (input, kind, count) => {
    const call = start(input)
    await call.done
    expect(call.state.fault).toEqual(fault(kind))
    expect(call.seen).toHaveLength(count)
  })

  it('hang-after falls silent until the idle timeout of the node', async () => {
    const call = start('sandbox:hang-after=2')
    await time.advance(2_999)
    expect(call.seen).toHaveLength(1 + 2)
    expect(call.state.over).toBe(false)
    await time.advance(1)
    expect(call.state.fault).toEqual(fault('idle_timeout'))
  })
})

describe('giving up', () => {
  it.each([['sandbox:hang'], ['sandbox:first-token=2s'], ['sandbox:slow=50ms'], ['sandbox:hang-after=2']])(
    'ends every wait at once: %s',
    async input => {
      const call = start(input)
      await time.advance(20)
      expect(call.state.over).toBe(false)
      call.abort.abort()
      await settle()
      expect(call.state).toMatchObject({ over: true, fault: fault('aborted') })
    },
  )

  it('before the call asks nothing', async () => {
    const abort = new AbortController()
    abort.abort()
    await expect(createEngine().open(engineCall('Hello'), abort.signal)).rejects.toEqual(fault('aborted'))
  })

  it('ends a long answer that waits for nothing', async () => {
    const call = start('sandbox:tokens=100000 sandbox:over-limit')
    setImmediate(() => call.abort.abort())
    await call.done
    expect(call.state.fault).toEqual(fault('aborted'))
    expect(call.seen.length).toBeLessThan(1_000)
  })

  it('leaves no listener on the signal of a call that ended by itself', async () => {
    const abort = new AbortController()
    const added: unknown[] = []
    const listen = abort.signal.addEventListener.bind(abort.signal)
    const forget = abort.signal.removeEventListener.bind(abort.signal)
    abort.signal.addEventListener = (...args: Parameters<typeof listen>) => {
      added.push(args[1])
      listen(...args)
    }
    abort.signal.removeEventListener = (...args: Parameters<typeof forget>) => {
      added.splice(added.indexOf(args[1]), 1)
      forget(...args)
    }
    const opening = createEngine().open(engineCall('sandbox:first-token=1s sandbox:status=500'), abort.signal)
    await time.advance(1_000)
    await opening
    expect(added).toEqual([])
  })
})
