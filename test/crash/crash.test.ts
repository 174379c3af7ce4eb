import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Failpoint } from '../../src/lib/failpoint.ts'
import { findViolations, Gateway, useGateway, verifyByCommand } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { expectAcknowledged } from './expect-acknowledged.ts'
import { loadUntilDeath } from './load.ts'

const long = process.env['RIALTO_TEST_LONG'] === '1'

/** Places where the process kills itself as `kill -9` does, and at which arrival there the load is well under way. */
const places: readonly (readonly [Failpoint, number])[] = [
  ['reserve.before_commit', 9],
  ['reserve.after_commit_before_ack', 9],
  ['dispatch.before', 9],
  ['stream.first_byte', 5],
  ['stream.mid', 25],
  ['mark.written', 4],
  ['usage.seen', 7],
  ['settle.before_tx', 9],
  ['settle.in_tx', 9],
  ['settle.before_commit', 9],
  ['settle.after_commit_before_ack', 9],
  ['done.before_write', 7],
  ['done.after_write', 7],
  ['idem.after_claim', 4],
  ['idem.before_complete', 4],
]
/** Places beside them, which a short run leaves to the tests of the store itself. */
const furtherPlaces: readonly (readonly [Failpoint, number])[] = [
  ['group.flush_start', 40],
  ['group.flush_end', 40],
  ['idem.before_claim', 4],
  ['idem.after_complete', 4],
]
const arrivals = (nth: number): readonly number[] => (long ? [1, 2, 3, nth, 2 * nth, 5 * nth] : [nth])
const cases = [...places, ...(long ? furtherPlaces : [])].flatMap(([place, nth]) =>
  arrivals(nth).map(at => [place, at] as const),
)

const gateway = useGateway()
const text = ['one', ' two', ' three', ' four', ' five', ' six']

/** What it gives is known only when it was read, so that its hold is lowered. */
const filePart = { type: 'file', file: { file_data: 'data:text/plain;base64,QSBsaW5lLg==', filename: 'a.txt' } }
const withFile = {
  method: 'POST',
  body: JSON.stringify({ model: 'test/model', messages: [{ role: 'user', content: [filePart] }] }),
}

async function restart(environment: Record<string, string> = {}, untilReady = true): Promise<void> {
  // Nothing is under way, so that this end is as good as any, and quicker.
  await gateway.process.kill()
  await gateway.serve({ environment, untilReady })
}

describe('kill -9 under load, and a start after it', () => {
  it.each(cases)(
    'at %s (arrival %i): every cost that was seen has its debit, and no hold is left',
    async (place, at) => {
      gateway.engine().always(answer({ text, everyMs: 4 }))
      await restart({ RIALTO_FAILPOINT: `${place}:${at}` })
      const acknowledged = await loadUntilDeath(gateway, `${place.replace('.', '-')}-${at}`)
      expect(await gateway.process.exited).toEqual({ code: null, signal: 'SIGKILL' })
      const asked = new Set(gateway.engine().requests.map(({ headers }) => headers['x-request-id'])).size
      const before = await (await gateway.store()).verify()
      expect(before.problems).toEqual([])
      // Nothing was dispatched without a hold that was durable before.
      expect(before.holdsOpen + before.usageRecords).toBeGreaterThanOrEqual(asked)
      await restart()
      const after = await (await gateway.store()).verify()
      expect(after).toMatchObject({ ok: true, problems: [], holdsOpen: 0 })
      expect(after.usageRecords).toBe(before.usageRecords + before.holdsOpen)
      await expectAcknowledged(gateway, acknowledged, text)
    },
  )

  it.each(['lower.before_commit', 'lower.after_commit_before_ack'] as const)(
    'at %s, where a hold shrinks: it was dispatched to nobody, and nothing of it is left',
    async place => {
      await restart({ RIALTO_FAILPOINT: `${place}:1` })
      await expect(gateway.client.send('/api/v1/chat/completions', withFile)).rejects.toThrow()
      expect(await gateway.process.exited).toEqual({ code: null, signal: 'SIGKILL' })
      expect(gateway.engine().requests).toHaveLength(0)
      expect(await (await gateway.store()).verify()).toMatchObject({ problems: [], holdsOpen: 1 })
      await restart()
      expect(await (await gateway.store()).verify()).toMatchObject({ ok: true, problems: [], holdsOpen: 0 })
      const { balanceNano, availableNano } = await gateway.client.credits()
      expect(availableNano).toBe(balanceNano)
    },
  )

  it('during the recovery that follows a kill: the next start finishes it', async () => {
    gateway.engine().always(answer({ text, everyMs: 40 }))
    await restart({ RIALTO_FAILPOINT: 'mark.written:2' })
    const acknowledged = await loadUntilDeath(gateway, 'twice')
    expect((await (await gateway.store()).verify()).holdsOpen).toBeGreaterThan(0)
    await restart({ RIALTO_FAILPOINT: 'sweep.in_tx:1' }, false)
    expect((await gateway.process.exited).signal).toBe('SIGKILL')
    await restart()
    expect(await (await gateway.store()).verify()).toMatchObject({ ok: true, holdsOpen: 0 })
    await expectAcknowledged(gateway, acknowledged, text)
  })

  it('when a drain has begun', { timeout: 120_000 }, async () => {
    gateway.engine().always(answer({ text, everyMs: 40 }))
    await restart({ RIALTO_FAILPOINT: 'drain.start:1' })
    const loading = loadUntilDeath(gateway, 'drain')
    await sleep(300)
    gateway.process.signal('SIGTERM')
    const acknowledged = await loading
    expect((await gateway.process.exited).signal).toBe('SIGKILL')
    await restart()
    expect(await (await gateway.store()).verify()).toMatchObject({ ok: true, holdsOpen: 0 })
    await expectAcknowledged(gateway, acknowledged, text)
  })

  it.each(Array.from({ length: long ? 100 : 2 }, (_, run) => run))('at any moment (run %i)', async run => {
    gateway.engine().always(answer({ text, everyMs: 4 }))
    await restart()
    const loading = loadUntilDeath(gateway, `random-${run}`)
    await sleep(150 + Math.random() * 500)
    await gateway.process.kill()
    const acknowledged = await loading
    await restart()
    expect(await (await gateway.store()).verify()).toMatchObject({ ok: true, holdsOpen: 0 })
    await expectAcknowledged(gateway, acknowledged, text)
  })
})

describe('a stream that a crash cut', () => {
  it('costs what its last durable mark says, never more than was generated', async () => {
    gateway.engine().always(answer({ chunks: 400, everyMs: 25 }))
    await restart()
    const reading = await gateway.client.openStream()
    await reading.receive(120)
    await gateway.process.kill()
    await reading.ended
    await restart()
    const generation = await gateway.client.generation(String(reading.headers['x-generation-id']))
    expect(generation).toMatchObject({ outcome: 'crashed_recovered', usage_source: 'estimated' })
    // A mark is written at the first token and every two seconds: three seconds of forty tokens each have one or two.
    expect(generation?.tokens_completion).toBeGreaterThanOrEqual(1)
    expect(generation?.tokens_completion).toBeLessThanOrEqual(gateway.engine().requests[0]?.tokensGenerated ?? 0)
    expect(generation?.total_cost).toBeGreaterThan(0)
  })
})

describe('the first start', () => {
  it('that dies while it makes the first account is made good by the next one', async () => {
    const fresh = await Gateway.start({
      beforeServe: async installation => {
        const { GatewayProcess } = await import('../support/gateway/gateway-process.ts')
        const { findFreePort } = await import('../support/gateway/free-port.ts')
        const start = {
          port: await findFreePort(),
          environment: { RIALTO_FAILPOINT: 'post.in_tx:1' },
          untilReady: false,
        }
        const dying = await GatewayProcess.start(installation, start)
        expect((await dying.exited).signal).toBe('SIGKILL')
      },
    })
    try {
      expect(fresh.process.output).toContain('vk-')
      expect((await fresh.client.chat()).status).toBe(200)
      expect(await findViolations(fresh)).toEqual([])
      expect(await fresh.rialtoJson('account', 'show', 'default')).toMatchObject({ balanceUsd: '5' })
      expect(await verifyByCommand(fresh.installation)).toMatchObject({ ok: true })
    } finally {
      await fresh.close()
    }
  })
})
