import { expect, it } from 'vitest'
import type { JobOutcome } from './pool/job.ts'
import { createPooledMeter } from './pooled-meter.ts'

const medium = { bytes: Buffer.from('x'), accountId: 'acct_1' }
const saying = (outcome: JobOutcome) => createPooledMeter({ run: async () => outcome, close: async () => undefined })
const answering = (head: object) => saying({ kind: 'answer', head: head as never, body: Buffer.alloc(0) })
const never = new AbortController().signal

it.each([
  [{ kind: 'seconds', seconds: 4.5 }, 4.5],
  [{ kind: 'seconds', seconds: null }, null],
  [{ kind: 'seconds', seconds: -1 }, null],
  [{ kind: 'seconds', seconds: '4' }, null],
  [{ kind: 'image', seconds: 4 }, null],
])('of a child that answers %j it believes %s', async (head, seconds) => {
  expect(await answering(head).secondsOf(medium, never)).toBe(seconds)
})

it.each(['busy', 'disabled', 'timeout', 'memory', 'output', 'crash'] as const)(
  'a child that fails as %s says nothing, and stops nobody',
  async reason => {
    expect(await saying({ kind: 'failure', reason }).secondsOf(medium, never)).toBeNull()
  },
)

it('whoever leaves waits no longer', async () => {
  const leaving = new AbortController()
  const run = (_job: unknown, signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const waiting = createPooledMeter({ run, close: async () => undefined }).secondsOf(medium, leaving.signal)
  leaving.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
})
