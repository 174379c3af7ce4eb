import { describe, expect, it } from 'vitest'
import { expectError, type Gateway, nanoOf, openLimits, priceOf, useGateway } from '../support/gateway/index.ts'
import { answer, reset, status } from '../support/mock-engine/index.ts'

/** Failing on purpose must not be a way to compute for nothing (money.md §3). */

async function chargeOf(gateway: Gateway, id: unknown): Promise<bigint> {
  const generation = await gateway.client.generation(String(id))
  expect(generation?.outcome).toBe('upstream_fail')
  return nanoOf(generation?.total_cost ?? -1)
}

describe('failures after an engine was at work', () => {
  const gateway = useGateway({
    settings: { limits: { ...openLimits, freeFailuresPerHour: 2 } },
    accounts: { streams: {}, wholes: {}, unsent: {}, refusals: {} },
  })

  it('are free up to the allowance; then prompt and delivered tokens are charged', async () => {
    gateway.engine().always(reset({ chunks: 3 }, answer({ text: ['a', ' b', ' c', ' d'] })))
    const charges: bigint[] = []
    for (let count = 0; count < 4; count += 1) {
      const reading = await gateway.client.stream({}, { key: gateway.account('streams').key })
      expect(reading.status).toBe(200)
      const generation = await gateway.client.generation(String(reading.headers['x-generation-id']), {
        key: gateway.account('streams').key,
      })
      charges.push(nanoOf(generation?.total_cost ?? -1))
    }
    const prompt = Math.ceil([...gateway.client.prompt].length / 4)
    const charged = priceOf({ prompt, completion: 3 })
    expect(charges).toEqual([0n, 0n, charged, charged])
  })

  it('count for each account by itself, and whole answers too', async () => {
    gateway.engine().always(status(500))
    const { key } = gateway.account('wholes')
    const used: bigint[] = []
    for (let count = 0; count < 3; count += 1) {
      expectError(await gateway.client.chat({}, { key }), { status: 502, code: 'upstream_error' })
      used.push((await gateway.client.credits(key)).usedNano)
    }
    expect(used.slice(0, 2)).toEqual([0n, 0n])
    const prompt = Math.ceil([...gateway.client.prompt].length / 4)
    expect(used[2]).toBe(priceOf({ prompt }))
  })

  it('do not include what the engine refused', async () => {
    gateway.engine().always(status(400))
    const { key } = gateway.account('refusals')
    for (let count = 0; count < 4; count += 1) await gateway.client.chat({}, { key })
    expect((await gateway.client.credits(key)).usedNano).toBe(0n)
  })

  it('do not include nodes that could not be reached', async () => {
    gateway.engine().crash()
    const { key } = gateway.account('unsent')
    for (let count = 0; count < 4; count += 1) {
      expectError(await gateway.client.chat({}, { key }), { status: 502, code: 'upstream_error' })
    }
    await gateway.engine().refuse(false)
    expect((await gateway.client.credits(key)).usedNano).toBe(0n)
  })
})

describe('where the operator bills what was delivered', () => {
  const gateway = useGateway({ settings: { billing: { billPartial: 'delivered' } } })

  it('a stream that fails midway costs its prompt and its delivered tokens', async () => {
    gateway.engine().always(reset({ chunks: 3 }, answer({ text: ['a', ' b', ' c', ' d'] })))
    const reading = await gateway.client.stream()
    const prompt = Math.ceil([...gateway.client.prompt].length / 4)
    expect(await chargeOf(gateway, reading.headers['x-generation-id'])).toBe(priceOf({ prompt, completion: 3 }))
  })

  it('and nothing when nothing was delivered', async () => {
    gateway.engine().always(status(500))
    const answered = await gateway.client.chat()
    expect(await chargeOf(gateway, answered.headers['x-generation-id'])).toBe(0n)
  })
})
