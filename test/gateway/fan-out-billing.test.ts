import { describe, expect, it } from 'vitest'
import { nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'
import * as mock from '../support/mock-engine/index.ts'
import { answer } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'

/** Engines that give one choice each, so that several are several calls under one hold (venice.md §19). */
const gateway = useGateway({
  engines: { main: { preset: 'ollama' }, second: { preset: 'ollama' } },
  models: { 'test/one': {}, 'test/two': { engines: ['main', 'second'] } },
})

async function chargedFor(ask: () => Promise<{ readonly headers: object }>) {
  const before = await gateway.client.credits()
  const { headers } = await ask()
  const after = await gateway.client.credits()
  expect(after.availableNano).toBe(after.balanceNano)
  const id = String((headers as Record<string, unknown>)['x-generation-id'])
  const generation = await gateway.client.generation(id)
  expect(before.balanceNano - after.balanceNano).toBe(nanoOf(generation?.total_cost ?? -1))
  return { chargedNano: before.balanceNano - after.balanceNano, generation }
}

describe('several choices of an engine that gives one', () => {
  it.each([true, false])('are billed once: the prompt, and the output of each (stream: %s)', async stream => {
    gateway.engine().next(answer({ chunks: 3 }), answer({ chunks: 4 }), answer({ chunks: 5 }))
    const { chargedNano, generation } = await chargedFor(() => gateway.client.chat({ model: 'test/one', n: 3, stream }))
    expect(gateway.engine().requests).toHaveLength(3)
    expect(chargedNano).toBe(priceOf({ prompt: 16, completion: 12 }))
    expect(generation).toMatchObject({ outcome: 'done', tokens_prompt: 16, tokens_completion: 12 })
  })

  it.each([true, false])('are free when one of them fails after the others began (stream: %s)', async stream => {
    const long = () => answer({ chunks: 200, everyMs: 10 })
    gateway.engine().next(long(), mock.delayed(300, mock.status(500)), long())
    const ask = () => gateway.client.chat({ model: 'test/one', n: 3, stream })
    const { chargedNano, generation } = await chargedFor(ask)
    expect(chargedNano).toBe(0n)
    expect(generation?.outcome).toBe('upstream_fail')
  })

  it('are asked of another node when a first one refuses all of them, and billed as its answer', async () => {
    gateway.engine('main').always(mock.status(503))
    gateway.engine('second').always(answer({ chunks: 3 }))
    const { chargedNano } = await chargedFor(() => gateway.client.chat({ model: 'test/two', n: 2 }))
    expect(chargedNano).toBe(priceOf({ prompt: 16, completion: 6 }))
    expect(gateway.engine('second').requests).toHaveLength(2)
  })

  it.each([400, 429])('cost nothing when the engine refuses them: %i', async status => {
    gateway.engine('main').always(mock.status(status))
    const { chargedNano } = await chargedFor(async () => {
      const refused = await gateway.client.chat({ model: 'test/one', n: 2 })
      expect(refused.status).toBe(status)
      return refused
    })
    expect(chargedNano).toBe(0n)
  })

  it('are billed once for what was generated when the caller leaves', async () => {
    gateway.engine().always(answer({ chunks: 500, everyMs: 20 }))
    const { chargedNano, generation } = await chargedFor(async () => {
      const reading = await gateway.client.openStream({ model: 'test/one', n: 2 })
      await reading.receive(6)
      reading.abort()
      await reading.ended
      const id = String(reading.headers['x-generation-id'])
      await waitFor('the record', () => gateway.client.generation(id))
      return reading
    })
    expect(generation?.outcome).toBe('client_abort')
    const { tokens_prompt: prompt = 0, tokens_completion: completion = 0 } = generation ?? {}
    expect(completion).toBeGreaterThan(0)
    expect(completion).toBeLessThanOrEqual(gateway.engine().servedTokens)
    expect(chargedNano).toBe(priceOf({ prompt, completion }))
  })
})
