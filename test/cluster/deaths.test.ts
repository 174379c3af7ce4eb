import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { chunksOf, Gateway, nanoOf, streamedText, verifyByCommand } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import type { SseReading } from '../support/read-sse.ts'
import { waitFor } from '../support/wait-for.ts'
import { completionsShown } from './metrics.ts'
import { describeStores, releaseMs } from './stores.ts'
import { everyWorkerOf, isAlive, killWorker, waitForSuccessor, waitForWorkers, workersOf } from './workers.ts'

const count = 3
const streams = 12
const text = Array.from({ length: 30 }, (_, index) => `word${index} `)
const startMs = 120_000
/** Starts and lost leases take their time, most of all on a busy machine. */
const unhurried = { timeout: 120_000 }

describeStores('deaths', store => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await Gateway.start({ words: ['--workers', String(count)], ...(await store.open()) })
    await waitForWorkers(gateway, count)
  }, startMs)
  beforeEach(() => {
    gateway.forget()
    gateway.engine().always(answer({ text, everyMs: 80 }))
  })
  afterAll(() => gateway.close(), startMs)

  /** Streams on all workers, each well under way, each under an idempotency key. */
  async function openStreams(name: string): Promise<SseReading[]> {
    const keyed = (index: number) => ({ headers: { 'idempotency-key': `${name}-${index}` } })
    const opening = Array.from({ length: streams }, (_, index) => gateway.client.openStream({}, keyed(index)))
    const readings = await Promise.all(opening)
    await Promise.all(readings.map(reading => reading.receive(4)))
    return readings
  }

  async function books() {
    return (await gateway.store()).verify()
  }

  it(
    'of one worker cost no other worker a stream and no account a debit, and another takes its place',
    unhurried,
    async () => {
      const readings = await openStreams('one')
      const knocking = knock()
      const pid = killWorker(gateway, 2)
      const killedAt = performance.now()
      const ends = await Promise.all(
        readings.map(async reading => {
          const end = await reading.ended
          if (end === 'broken') await expectRecovered(reading)
          return { end, ms: performance.now() - killedAt }
        }),
      )
      // Who comes at the moment of the death may be turned away, and is not kept waiting.
      expect((await knocking).filter(outcome => outcome.includes('no end within'))).toEqual([])
      const lost = ends.filter(({ end }) => end === 'broken')
      expect(lost.length).toBeGreaterThan(0)
      expect(lost.length).toBeLessThan(streams)
      for (const { ms } of lost) expect(ms).toBeLessThan(releaseMs)
      for (const [index, reading] of readings.entries()) {
        if (ends[index]?.end === 'broken') continue
        expect(streamedText(reading)).toBe(text.join(''))
        expect(chunksOf(reading).at(-1)?.usage?.completion_tokens).toBe(text.length)
      }
      // A charged run is not repeated under its key, nor taken for one that still runs.
      const index = ends.findIndex(({ end }) => end === 'broken')
      const again = await gateway.client.chat({ stream: true }, { headers: { 'idempotency-key': `one-${index}` } })
      expect([again.status, again.json.error?.code]).toEqual([409, 'not_replayable'])
      expect(await books()).toMatchObject({ ok: true, problems: [], holdsOpen: 0, usageRecords: streams })
      await waitForSuccessor(gateway, 2, pid)
    },
  )

  it('of all workers at once are made good, and the totals of the metrics do not fall', unhurried, async () => {
    gateway.engine().always(answer())
    const before = await completionsShown(gateway)
    await Promise.all(Array.from({ length: streams }, () => gateway.client.chat()))
    expect(await completionsShown(gateway)).toBe(before + streams)
    const killed = [...workersOf(gateway).keys()].map(place => [place, killWorker(gateway, place)] as const)
    for (const [place, pid] of killed) await waitForSuccessor(gateway, place, pid)
    await Promise.all(Array.from({ length: streams }, () => gateway.client.chat()))
    expect(await completionsShown(gateway)).toBe(before + 2 * streams)
  })

  it(
    'of the first process end all others at once, and the next start makes good what they left',
    unhurried,
    async () => {
      const { usageRecords } = await books()
      await openStreams('first')
      const pids = everyWorkerOf(gateway)
      await gateway.process.kill()
      await waitFor('the workers to be gone', () => !pids.some(isAlive), { withinMs: 5_000 })
      await gateway.serve()
      await waitFor('nothing to be open', async () => (await books()).holdsOpen === 0, { withinMs: store.recoverMs })
      expect(await books()).toMatchObject({ ok: true, problems: [], usageRecords: usageRecords + streams })
      await waitForWorkers(gateway, count)
      gateway.engine().always(answer())
      expect((await gateway.client.chat()).status).toBe(200)
      expect(await gateway.process.stop()).toEqual({ code: 0, signal: null })
      expect(await verifyByCommand(gateway.installation)).toMatchObject({ ok: true, holdsOpen: 0 })
    },
  )

  /** Callers on connections of their own, for a second. Resolves with what each of them met. */
  async function knock(): Promise<string[]> {
    const outcomes: string[] = []
    const untilMs = performance.now() + 1_000
    const caller = async () => {
      while (performance.now() < untilMs) {
        const asked = gateway.client.send('/health/live', { key: null, withinMs: 10_000 })
        outcomes.push(await asked.then(({ status }) => String(status), String))
      }
    }
    await Promise.all(Array.from({ length: 8 }, caller))
    return outcomes
  }

  /** It was charged at its first progress mark, which stood after the first token. */
  async function expectRecovered(reading: SseReading): Promise<void> {
    const id = String(reading.headers['x-generation-id'])
    const generation = await waitFor(
      'the hold of a worker that died to be resolved',
      async () => {
        // This, too, may come to the worker that has just died.
        const found = await gateway.client.generation(id).catch(() => null)
        return found?.outcome === 'crashed_recovered' && found
      },
      { withinMs: releaseMs },
    )
    expect(nanoOf(generation.total_cost ?? 0)).toBeGreaterThan(0n)
  }
})
