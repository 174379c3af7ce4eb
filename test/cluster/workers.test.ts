import { readFile, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { expect, it } from 'vitest'
import { createGate } from '../races/gate.ts'
import { eventsNamed, nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'
import { readLog } from '../support/gateway/log-lines.ts'
import { answer } from '../support/mock-engine/index.ts'
import type { Behaviour, Step } from '../support/mock-engine/step.ts'
import { waitFor } from '../support/wait-for.ts'
import { completionsShown } from './metrics.ts'
import { describeStores } from './stores.ts'
import { everyWorkerOf, isAlive, waitForWorkers, workersOf } from './workers.ts'

const count = 4
const places = 6
/** Enough that each worker gets some, each request on a connection of its own. */
const calls = 16
/** Four starts, one after the other. */
const unhurried = { timeout: 120_000 }

describeStores('four workers', store => {
  const gateway = useGateway(async () => ({
    words: ['--workers', String(count)],
    engines: { main: {}, narrow: { maxConcurrency: places } },
    models: { 'test/model': {}, 'test/narrow': { engines: ['narrow'] } },
    ...(await store.open()),
  }))

  it('are processes of their own, and each says in its log which one it is', async () => {
    await waitForWorkers(gateway, count)
    const pids = [...workersOf(gateway).values()]
    expect(new Set(pids).size).toBe(count)
    expect(pids).not.toContain(gateway.process.pid)
    const answers = await Promise.all(Array.from({ length: calls }, () => gateway.client.chat()))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const ended = () => eventsNamed(gateway.process.output, 'completion.ended')
    await waitFor('the log', () => ended().length >= calls)
    expect(new Set(ended().map(({ worker }) => worker))).toEqual(new Set([1, 2, 3, 4]))
    expect(eventsNamed(gateway.process.output, 'gateway.ready')).toHaveLength(1)
  })

  it.each([0, 7])('admit exactly %i of 400 requests at once when there is money for so many', async money => {
    const outputLimit = 200
    const probe = await gateway.client.chat({ max_tokens: outputLimit })
    const hold = nanoOf((await gateway.client.generation(probe.json.id ?? ''))?.hold ?? 0)
    // A nano-dollar short of one more.
    const credit = Number(hold * BigInt(money + 1) - 1n) / 1e9
    const { key } = await gateway.openAccount(`racer-${money}`, { credit, mode: 'strict' })
    const gate = createGate({ chunks: outputLimit })
    const engine = gateway.engine()
    engine.forget()
    engine.always(gate.behaviour)
    const agent = new Agent({ keepAlive: true, maxSockets: 400 })
    let refused = 0
    const asking = Array.from({ length: 400 }, async () => {
      const { status } = await gateway.client.chat({ max_tokens: outputLimit }, { key, agent })
      if (status === 402) refused += 1
      return status
    })
    await waitFor('every request to be decided', () => refused + engine.requests.length >= 400, { withinMs: 20_000 })
    gate.open()
    const statuses = await Promise.all(asking)
    agent.destroy()
    expect(statuses.filter(status => status === 200)).toHaveLength(money)
    expect(refused).toBe(400 - money)
  })

  it('together ask an engine for no more at a time than its maxConcurrency', async () => {
    const engine = gateway.engine('narrow')
    const watch = countAtOnce(answer({ chunks: 3, everyMs: 30 }))
    engine.always(watch.behaviour)
    const model = { model: 'test/narrow' }
    const answers = await Promise.all(Array.from({ length: 30 }, () => gateway.client.chat(model)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(watch.most).toBeLessThanOrEqual(places)
    expect(watch.most).toBeGreaterThanOrEqual(count)
  })

  it('show the figures of all of them, whoever is asked', async () => {
    const figures = await Promise.all(Array.from({ length: 8 }, () => completionsShown(gateway)))
    const ended = eventsNamed(gateway.process.output, 'completion.ended').length
    expect(figures).toEqual(figures.map(() => ended))
  })

  it('all take over a changed price at SIGHUP, and running answers keep theirs', async () => {
    const { configFile } = gateway.installation
    const settings = JSON.parse(await readFile(configFile, 'utf8')) as { models: { pricing: object }[] }
    const pricing = { inputUsdPerMTok: 3, outputUsdPerMTok: 7 }
    for (const model of settings.models) model.pricing = pricing
    await writeFile(configFile, JSON.stringify(settings))
    gateway.process.signal('SIGHUP')
    await waitFor('the change', () => eventsNamed(gateway.process.output, 'config.reloaded').length > 0)
    const answers = await Promise.all(Array.from({ length: calls }, () => gateway.client.chat()))
    const costs = new Set(answers.map(({ json }) => nanoOf(json.usage?.cost ?? -1)))
    expect(costs).toEqual(new Set([priceOf({ prompt: 16, completion: 5 }, pricing)]))
  })

  it('are replaced one by one at SIGUSR2 while requests run, and none of these fails', unhurried, async () => {
    gateway.engine().always(answer({ chunks: 5, everyMs: 5 }))
    const before = workersOf(gateway)
    const totalBefore = await completionsShown(gateway)
    const reading = await gateway.client.openStream()
    const load = startLoad(3)
    gateway.process.signal('SIGUSR2')
    await waitFor('the rolling restart', () => eventsNamed(gateway.process.output, 'workers.replaced').length > 0, {
      withinMs: 100_000,
      everyMs: 50,
    })
    const outcomes = await load.stop()
    expect(await reading.ended).toBe('complete')
    expect(outcomes.filter(outcome => outcome !== '200')).toEqual([])
    expect(outcomes.length).toBeGreaterThan(50)
    const after = workersOf(gateway)
    for (const [place, pid] of before) expect(after.get(place)).not.toBe(pid)
    expect(await completionsShown(gateway)).toBe(totalBefore + outcomes.length + 1)
    const old = [...before.values()]
    await waitFor('the old ones to be gone', () => !old.some(isAlive), { withinMs: 10_000 })
    expect(await completionsShown(gateway)).toBe(totalBefore + outcomes.length + 1)
  })

  it('end together at SIGTERM: answers end, all is settled, and no process is left', async () => {
    gateway.engine().always(answer({ chunks: 10, everyMs: 60 }))
    const readings = await Promise.all(Array.from({ length: 8 }, () => gateway.client.openStream()))
    await Promise.all(readings.map(reading => reading.receive(2)))
    const pids = everyWorkerOf(gateway)
    gateway.process.signal('SIGTERM')
    expect(await Promise.all(readings.map(({ ended }) => ended))).toEqual(readings.map(() => 'complete'))
    expect(await gateway.process.exited).toEqual({ code: 0, signal: null })
    expect(pids.filter(isAlive)).toEqual([])
    // No line of one process has got into that of another.
    const lines = gateway.process.output.split('\n').filter(line => line.startsWith('{'))
    expect(readLog(gateway.process.output)).toHaveLength(lines.length)
  })

  /** Callers that ask again as soon as they have an answer: half of them on kept connections. */
  function startLoad(callers: number): { stop(): Promise<string[]> } {
    const agent = new Agent({ keepAlive: true })
    const outcomes: string[] = []
    let isOver = false
    const running = Array.from({ length: callers * 2 }, async (_, caller) => {
      while (!isOver && outcomes.length < 20_000) {
        const options = caller % 2 === 0 ? { agent } : {}
        outcomes.push(await gateway.client.chat({}, options).then(({ status }) => String(status), String))
      }
    })
    return {
      async stop() {
        isOver = true
        await Promise.all(running)
        agent.destroy()
        return outcomes
      },
    }
  }
})

/** An engine's answer, and how many of them it gave at once at most. */
function countAtOnce(behaviour: Behaviour): { readonly behaviour: Behaviour; readonly most: number } {
  let now = 0
  let most = 0
  return {
    *behaviour(request): Generator<Step> {
      now += 1
      most = Math.max(most, now)
      try {
        yield* behaviour(request) as Iterable<Step>
      } finally {
        now -= 1
      }
    },
    get most() {
      return most
    },
  }
}
