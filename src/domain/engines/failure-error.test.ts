import { describe, expect, it } from 'vitest'
import { createFault } from './create-fault.ts'
import { failureError, type NodeFailure } from './failure-error.ts'
import type { FaultKind } from './types.ts'

function status(code: number, retryAfterMs: number | null = null): NodeFailure {
  return { kind: 'status', status: code, retryAfterMs }
}

function fault(kind: FaultKind): NodeFailure {
  return { kind: 'fault', fault: createFault(kind) }
}

describe('what a caller is told when no node answered', () => {
  it.each<[string, NodeFailure[], number, string]>([
    ['nobody could be asked', [], 503, 'no_capacity'],
    ['all said 429', [status(429), status(429)], 429, 'engine_overloaded'],
    ['the last said 429 and another failed', [fault('reset'), status(429)], 502, 'upstream_error'],
    ['the first said 429 and the last failed', [status(429), status(500)], 502, 'upstream_error'],
    ['the last began too late', [status(500), fault('first_byte_timeout')], 504, 'upstream_timeout'],
    ['the last stopped in the middle', [fault('idle_timeout')], 504, 'upstream_timeout'],
    ['the last took no connection', [fault('connect_timeout')], 504, 'upstream_timeout'],
    [
      'the first was too late and the last refused',
      [fault('first_byte_timeout'), fault('connect_refused')],
      502,
      'upstream_error',
    ],
    ['the key of ours was refused', [status(401)], 502, 'upstream_error'],
    ['the answer made no sense', [fault('bad_answer')], 502, 'upstream_error'],
  ])('%s', (_case, failures, expectedStatus, code) => {
    const error = failureError(failures)
    expect([error.status, error.code]).toEqual([expectedStatus, code])
  })

  it.each<[string, (number | null)[], number]>([
    ['the sooner of two', [7_000, 3_000], 3],
    ['the one that is known', [null, 30_000], 30],
    ['one second when nobody said', [null, null], 1],
    ['at least one second', [0, 0], 1],
    ['at most a minute', [1e12], 60],
    ['whole seconds, rounded up', [1_001], 2],
  ])('with a wait that is %s', (_case, waits, seconds) => {
    const { options } = failureError(waits.map(wait => status(429, wait)))
    const isWaitUnknown = waits.every(wait => wait === null)
    expect(options).toEqual({ retryAfterSeconds: seconds, facts: { isWaitUnknown } })
  })

  it('with at most five seconds to wait when there was no room', () => {
    expect(failureError([]).options.retryAfterSeconds).toBe(5)
  })

  it('asks clients not to repeat what an engine may have generated', () => {
    expect(failureError([fault('first_byte_timeout')]).options.shouldRetry).toBe(false)
    expect(failureError([fault('connect_timeout')]).options.shouldRetry).toBeUndefined()
  })
})
