import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { estimatedTokens, nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'
import { stretched } from '../support/lapse.ts'
import { answer, hang, usagePlans } from '../support/mock-engine/index.ts'
import { openRaw, rawRequest } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = useGateway({
  engines: { main: {}, fresh: {}, draining: { onDisconnect: 'drain' } },
  models: { 'test/model': {}, 'test/fresh': { engines: ['fresh'] }, 'test/draining': { engines: ['draining'] } },
  accounts: { early: {}, whole: {}, upload: {}, draining: {}, pipeline: {} },
})

const chunkCount = 12
const words = Array.from({ length: chunkCount }, (_, index) => ` word${index}`)
const slowAnswer = answer({ text: words, everyMs: 60 })
const stopMs = 1_000
const promptEstimate = () => estimatedTokens(gateway.client.prompt)

/** Reads a stream up to its k-th token, leaves, and resolves with what the gateway says about it afterwards. */
async function leaveAfter(tokens: number, body: object = {}) {
  const reading = await gateway.client.openStream(body)
  await reading.receive(1 + tokens)
  const leftAt = performance.now()
  reading.abort()
  const id = String(reading.headers['x-generation-id'])
  const generation = await waitFor('the record', () => gateway.client.generation(id))
  return { generation, leftAt }
}

describe('a caller who leaves a stream', () => {
  it('after any chunk stops the engine within a second and pays for prompt and generated tokens', async () => {
    gateway.engine().always(slowAnswer)
    const left = await Promise.all(Array.from({ length: chunkCount }, (_, tokens) => leaveAfter(tokens)))
    for (const [tokens, { generation }] of left.entries()) {
      expect([tokens, generation.outcome, generation.usage_source]).toEqual([tokens, 'client_abort', 'estimated'])
      expect(generation.tokens_prompt).toBe(promptEstimate())
      expect(generation.tokens_completion).toBeGreaterThanOrEqual(tokens)
      const { tokens_prompt: prompt, tokens_completion: completion } = generation
      expect(nanoOf(generation.total_cost)).toBe(priceOf({ prompt, completion }))
    }
    const { requests, servedTokens } = gateway.engine()
    const leftAt = Math.min(...left.map(({ leftAt: at }) => at))
    for (const { ending, closedByPeerAt = Number.POSITIVE_INFINITY } of requests) {
      expect(ending).toBe('peer-closed')
      expect(closedByPeerAt - leftAt).toBeLessThan(stretched(stopMs + chunkCount * 60))
    }
    // An engine counts a token per chunk, the estimate is the larger of that and of the text's length: never less.
    const billed = left.reduce((sum, { generation }) => sum + generation.tokens_completion, 0)
    expect(servedTokens - billed).toBeLessThanOrEqual(chunkCount)
  })

  it('pays what the engine’s running count says where it has one', async () => {
    gateway.engine().always(answer({ text: words, everyMs: 60, usage: usagePlans.continuous }))
    const { generation } = await leaveAfter(6)
    expect(generation).toMatchObject({ outcome: 'client_abort', usage_source: 'engine', tokens_prompt: 16 })
    expect(generation.tokens_completion).toBeGreaterThanOrEqual(6)
    expect(generation.tokens_completion).toBeLessThanOrEqual(gateway.engine().requests[0]?.tokensGenerated ?? 0)
  })

  it('between the usage and [DONE] pays the whole bill, once', async () => {
    gateway.engine().always(hang('after-usage', answer({ text: ['a', ' b'] })))
    const before = await gateway.client.credits()
    const reading = await gateway.client.openStream()
    await reading.receive(4)
    await sleep(100)
    reading.abort()
    const id = String(reading.headers['x-generation-id'])
    const generation = await waitFor('the record', () => gateway.client.generation(id))
    expect(generation).toMatchObject({ tokens_prompt: 16, tokens_completion: 2, usage_source: 'engine' })
    const after = await gateway.client.credits()
    expect(before.balanceNano - after.balanceNano).toBe(priceOf({ prompt: 16, completion: 2 }))
  })

  it('before the first token stops the engine and pays for the prompt', async () => {
    gateway.engine().always(answer({ firstAfterMs: 20_000 }))
    const { key } = gateway.account('early')
    const abort = new AbortController()
    const asking = gateway.client.chat({ stream: true }, { key, signal: abort.signal }).catch(() => null)
    const request = await waitFor(
      'the engine',
      () => gateway.engine().requests[0]?.bodyComplete && gateway.engine().requests[0],
    )
    const leftAt = performance.now()
    abort.abort()
    expect(await asking).toBeNull()
    await waitFor('the engine to be left', () => request.closedByPeerAt)
    expect((request.closedByPeerAt ?? 0) - leftAt).toBeLessThan(stretched(stopMs))
    const used = await waitFor('the charge', async () => (await gateway.client.credits(key)).usedNano)
    expect(used).toBe(priceOf({ prompt: promptEstimate() }))
  })
})

describe('a caller who leaves a whole answer', () => {
  it('stops the engine within a second and pays for prompt and the node’s usual speed, up to the limit', async () => {
    gateway.engine('fresh').always(answer({ chunks: 400, everyMs: 50 }))
    const { key } = gateway.account('whole')
    const abort = new AbortController()
    const body = { model: 'test/fresh', max_tokens: 500 }
    const asking = gateway.client.chat(body, { key, signal: abort.signal }).catch(() => null)
    const request = await waitFor('the engine', () => gateway.engine('fresh').requests[0])
    await sleep(1_000)
    const leftAt = performance.now()
    abort.abort()
    expect(await asking).toBeNull()
    await waitFor('the engine to be left', () => request.closedByPeerAt)
    expect((request.closedByPeerAt ?? 0) - leftAt).toBeLessThan(stretched(stopMs))
    const { usedNano } = await waitFor('the charge', async () => {
      const credits = await gateway.client.credits(key)
      return credits.usedNano > 0n && credits
    })
    // Of a node that has answered nothing yet, twenty tokens a second are assumed.
    const perToken = (tokens: number) => priceOf({ prompt: promptEstimate(), completion: tokens })
    expect(usedNano).toBeGreaterThanOrEqual(perToken(18))
    expect(usedNano).toBeLessThanOrEqual(perToken(60))
  })

  it('is charged what the engine reports where the engine cannot be stopped', async () => {
    gateway.engine('draining').always(answer({ text: words, everyMs: 40 }))
    const { key } = gateway.account('draining')
    const abort = new AbortController()
    const asking = gateway.client.chat({ model: 'test/draining' }, { key, signal: abort.signal }).catch(() => null)
    await waitFor('the engine', () => gateway.engine('draining').requests[0])
    abort.abort()
    expect(await asking).toBeNull()
    const used = await waitFor('the charge', async () => (await gateway.client.credits(key)).usedNano)
    expect(used).toBe(priceOf({ prompt: 16, completion: chunkCount }))
    expect(gateway.engine('draining').requests[0]?.ending).toBe('complete')
  })
})

describe('a caller who leaves with several requests on one connection', () => {
  it.each(['destroy', 'reset', 'endWriting'] as const)('stops the engine of each within a second: %s', async leave => {
    gateway.engine().always(answer({ text: words, everyMs: 500 }))
    const connection = await openRaw(gateway.port)
    const headers = { Authorization: `Bearer ${gateway.account('pipeline').key}` }
    const ask = (stream: boolean) =>
      rawRequest('/v1/chat/completions', {
        headers,
        body: { model: 'test/model', stream, messages: [{ role: 'user', content: 'hi' }] },
      })
    await connection.send(Buffer.concat([ask(true), ask(false), ask(true)]))
    await waitFor('all to be asked', () => gateway.engine().requests.length === 3 || undefined)
    const leftAt = performance.now()
    connection[leave]()
    await waitFor('all to be stopped', () => gateway.engine().requests.every(({ endedAt }) => endedAt) || undefined)
    for (const { ending, closedByPeerAt } of gateway.engine().requests) {
      expect(ending).toBe('peer-closed')
      expect((closedByPeerAt ?? Number.POSITIVE_INFINITY) - leftAt).toBeLessThan(stretched(stopMs))
    }
    connection.destroy()
  })
})

describe('a caller who leaves while the body is still coming', () => {
  it('has asked for nothing: no engine call, no charge', async () => {
    const { key } = gateway.account('upload')
    const connection = await openRaw(gateway.port)
    const headers = { Authorization: `Bearer ${key}`, 'Content-Length': '100000' }
    await connection.send(rawRequest('/v1/chat/completions', { headers, body: '{"model":' }))
    await sleep(100)
    connection.reset()
    await sleep(200)
    expect(gateway.engine().requests).toHaveLength(0)
    const { usedNano, balanceNano, availableNano } = await gateway.client.credits(key)
    expect([usedNano, balanceNano]).toEqual([0n, availableNano])
  })
})
