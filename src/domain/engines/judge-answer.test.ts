import { describe, expect, it } from 'vitest'
import { createFault } from './create-fault.ts'
import { isNeverSent, isNodeFault, isUnreachable, judgeStatus } from './judge-answer.ts'
import type { FaultKind } from './types.ts'

describe('judgeStatus', () => {
  it.each([
    [200, 'answer'],
    [429, 'overloaded'],
    [401, 'misconfigured'],
    [403, 'misconfigured'],
    [404, 'misconfigured'],
    ...[400, 402, 405, 408, 409, 410, 413, 415, 418, 422, 431, 451, 499].map(status => [status, 'rejected'] as const),
    ...[201, 204, 206, 301, 302, 307, 308, 500, 501, 502, 503, 504, 529, 599].map(
      status => [status, 'broken'] as const,
    ),
  ] as const)('%d is %s', (status, verdict) => {
    expect(judgeStatus(status)).toBe(verdict)
  })
})

describe('a fault', () => {
  const kinds: FaultKind[] = [
    'connect_refused',
    'connect_timeout',
    'reset',
    'tls',
    'dns',
    'first_byte_timeout',
    'idle_timeout',
    'total_timeout',
    'bad_answer',
    'queue_full',
    'queue_timeout',
    'aborted',
  ]

  function thatAre(test: (fault: ReturnType<typeof createFault>) => boolean): FaultKind[] {
    return kinds.filter(kind => test(createFault(kind)))
  }

  it('counts against the node unless the caller, our queue or our deadline caused it', () => {
    const others = ['total_timeout', 'queue_full', 'queue_timeout', 'aborted']
    expect(thatAre(isNodeFault)).toEqual(kinds.filter(kind => !others.includes(kind)))
  })

  it('before a connection stands is one of a request that was never sent', () => {
    expect(thatAre(isNeverSent)).toEqual(['connect_refused', 'connect_timeout', 'tls', 'dns'])
    expect(thatAre(isUnreachable)).toEqual(['connect_refused', 'connect_timeout', 'reset', 'tls', 'dns'])
  })
})
