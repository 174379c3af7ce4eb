import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { eventsNamed, nanoOf, priceOf, testPricing, useGateway } from '../support/gateway/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = useGateway({ engines: { main: {}, second: {} } })

interface Settings {
  engines: { id: string; baseUrl: string }[]
  models: { id: string; served: object[]; pricing: Record<string, number> }[]
}

/** The file as it was at first. */
let written: string | undefined

/** Changes rialto.yaml as an editor does, and waits until the gateway says that it took it, or that it did not. */
async function edit(change: (settings: Settings) => string | undefined): Promise<string> {
  const { configFile } = gateway.installation
  written ??= await readFile(configFile, 'utf8')
  const settings = JSON.parse(written) as Settings
  const outcomes = () => ['config.reloaded', 'config.refused'].map(name => eventsNamed(gateway.process.output, name))
  const before = outcomes().map(lines => lines.length)
  const text = change(settings) ?? JSON.stringify(settings)
  await writeFile(configFile, text)
  const index = await waitFor('the gateway to read its file', () => {
    const changed = outcomes().findIndex((lines, which) => lines.length > (before[which] ?? 0))
    return changed >= 0 && changed + 1
  })
  return ['reloaded', 'refused'][index - 1] ?? ''
}

const newPricing = { inputUsdPerMTok: 3, outputUsdPerMTok: 7 }
const used = { prompt: 16, completion: 20 }

describe('a change of rialto.yaml', () => {
  it('holds from the next request on; what runs keeps the price of its admission', async () => {
    gateway.engine().next(answer({ chunks: used.completion, everyMs: 100 }))
    const running = await gateway.client.openStream()
    await running.receive(2)
    const outcome = await edit(settings => {
      for (const model of settings.models) model.pricing = newPricing
      return undefined
    })
    expect(outcome).toBe('reloaded')
    gateway.engine().next(answer({ chunks: used.completion }))
    const next = await gateway.client.chat()
    expect(nanoOf(next.json.usage?.cost ?? -1)).toBe(priceOf(used, newPricing))
    expect(running.endedAt).toBeUndefined()
    await running.ended
    const generation = await gateway.client.generation(String(running.headers['x-generation-id']))
    expect(nanoOf(generation?.total_cost ?? -1)).toBe(priceOf(used, testPricing))
    const later = await gateway.client.generation(next.json.id ?? '')
    expect(later?.price_version).not.toBe(generation?.price_version)
  })

  it('that cannot be used is refused, and the last good one stays', async () => {
    expect(await edit(() => '{ "engines": [')).toBe('refused')
    const outcome = await edit(settings => {
      for (const model of settings.models) model.pricing = { inputUsdPerMTok: -1, outputUsdPerMTok: 0 }
      return undefined
    })
    expect(outcome).toBe('refused')
    expect((await gateway.client.chat()).status).toBe(200)
    expect(await edit(() => written)).toBe('reloaded')
    expect((await gateway.client.chat()).json.usage?.cost).toBe(Number(priceOf({ prompt: 16, completion: 5 })) / 1e9)
  })
})
