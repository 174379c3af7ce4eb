import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chunksOf, expectError, Gateway, nanoOf, priceOf, verifyByCommand } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { waitForWorkers } from './workers.ts'

const text = Array.from({ length: 15 }, (_, index) => `word${index} `)
const connections = 6

const patient = { timeout: 60_000 }

let gateway: Gateway
beforeAll(async () => {
  // With SQLite the first process has the store; while it stands still, workers have none.
  gateway = await Gateway.start({ words: ['--workers', '2'] })
  await waitForWorkers(gateway, 2)
}, 60_000)
afterAll(() => gateway.close(), 60_000)

it(
  'a first process that stands still: nothing is admitted, streams run to their end, and all is settled later',
  patient,
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections })
    // New connections are handed out by the process that is going to be stopped.
    await Promise.all(Array.from({ length: connections }, () => gateway.client.chat({}, { agent })))
    gateway.engine().always(answer({ text, everyMs: 80 }))
    const readings = await Promise.all(Array.from({ length: 4 }, () => gateway.client.openStream()))
    await Promise.all(readings.map(reading => reading.receive(4)))

    gateway.process.signal('SIGSTOP')
    const asked = performance.now()
    const refused = await Promise.all(Array.from({ length: connections }, () => gateway.client.chat({}, { agent })))
    const waitedMs = performance.now() - asked
    for (const answered of refused) expectError(answered, { status: 503, code: 'ledger_unavailable' })
    // Ten seconds for the look-up of a key that is no longer in memory, five for an admission.
    expect(waitedMs).toBeLessThan(17_000)
    for (const reading of readings) {
      expect(await reading.ended).toBe('complete')
      // A cost that is shown has been booked.
      expect(chunksOf(reading).at(-1)?.usage?.cost).toBeUndefined()
    }

    gateway.process.signal('SIGCONT')
    agent.destroy()
    const store = await gateway.store()
    await waitFor('nothing to be open', async () => (await store.verify()).holdsOpen === 0, { withinMs: 10_000 })
    for (const reading of readings) {
      const generation = await gateway.client.generation(String(reading.headers['x-generation-id']))
      expect(generation?.outcome).toBe('done')
      expect(nanoOf(generation?.total_cost ?? 0)).toBe(priceOf({ prompt: 16, completion: text.length }))
    }
    expect((await gateway.client.chat()).status).toBe(200)
    expect(await gateway.process.stop()).toEqual({ code: 0, signal: null })
    expect(await verifyByCommand(gateway.installation)).toMatchObject({ ok: true, problems: [], holdsOpen: 0 })
  },
)
