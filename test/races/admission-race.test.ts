import { Agent } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { type Account, expectError, type HttpAnswer, nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'
import type { KeyOptions } from '../support/gateway/installation-store.ts'
import { waitFor } from '../support/wait-for.ts'
import { createGate } from './gate.ts'

/** Full race counts take minutes; the short ones catch a missing guard just as surely. */
const runs = process.env['RIALTO_TEST_LONG'] === '1' ? 200 : 5
const requests = 1_000
const outputLimit = 200
const pricing = { inputUsdPerMTok: 1, outputUsdPerMTok: 100 }
const overdraftNano = nanoOf(0.5)
/** An answer that uses its whole limit: almost the whole hold is charged. */
const wholeAnswer = { chunks: outputLimit }
const cost = priceOf({ prompt: 16, completion: outputLimit }, pricing)

const gateway = useGateway({ engines: { main: { maxConcurrency: 2_000 } }, models: { 'test/model': { pricing } } })
const agent = new Agent({ keepAlive: true, maxSockets: requests })

afterAll(() => agent.destroy())

let count = 0
/** An account, and a key, that the gateway has never seen. */
function newcomer(options: { creditNano: bigint; mode: 'soft' | 'strict'; key?: KeyOptions }): Promise<Account> {
  count += 1
  const { creditNano, mode, key } = options
  return gateway.openAccount(`racer-${count}`, { credit: Number(creditNano) / 1e9, mode, ...(key ? { key } : {}) })
}

let holdOnce: Promise<bigint> | undefined
/** What one of these requests holds. */
function holdOf(): Promise<bigint> {
  holdOnce ??= (async () => {
    const answered = await gateway.client.chat({ max_tokens: outputLimit })
    const generation = await gateway.client.generation(String(answered.headers['x-generation-id']))
    return nanoOf(generation?.hold ?? 0)
  })()
  return holdOnce
}

/** Sends all requests at once, lets the admitted ones go on when the last one was decided, and sorts the answers. */
async function race(key: string): Promise<{ admitted: HttpAnswer[]; refused: HttpAnswer[] }> {
  const gate = createGate(wholeAnswer)
  const engine = gateway.engine()
  engine.forget()
  engine.always(gate.behaviour)
  let refusals = 0
  const asking = Array.from({ length: requests }, async () => {
    const answered = await gateway.client.chat({ max_tokens: outputLimit }, { key, agent, withinMs: 60_000 })
    if (answered.status !== 200) refusals += 1
    return answered
  })
  await waitFor('every request to be decided', () => refusals + engine.requests.length >= requests, {
    withinMs: 60_000,
    everyMs: 20,
  })
  const atEngine = engine.requests.length
  gate.open()
  const answers = await Promise.all(asking)
  const admitted = answers.filter(({ status }) => status === 200)
  // Whoever was not refused was at the engine, and nobody else was.
  expect([admitted.length, refusals]).toEqual([atEngine, requests - atEngine])
  return { admitted, refused: answers.filter(({ status }) => status !== 200) }
}

const longEnough = { timeout: runs * 60_000 }

describe('1,000 requests at once', () => {
  it.each([0, 1, 7, 100])(
    'with money for %i holds above a cent admit exactly so many (strict)',
    longEnough,
    async money => {
      const hold = await holdOf()
      expect(hold).toBeGreaterThan(nanoOf(0.01))
      for (let run = 0; run < runs; run += 1) {
        // A nano-dollar short of one more.
        const creditNano = hold * BigInt(money + 1) - 1n
        const { key } = await newcomer({ creditNano, mode: 'strict' })
        const { admitted, refused } = await race(key)
        expect(admitted).toHaveLength(money)
        for (const answered of refused) expect(answered.status).toBe(402)
        if (refused[0] !== undefined) expectError(refused[0], { status: 402, code: 'insufficient_balance' })
        const { balanceNano, availableNano } = await gateway.client.credits(key)
        expect(balanceNano).toBe(creditNano - cost * BigInt(money))
        expect(availableNano).toBe(balanceNano)
        expect(availableNano).toBeGreaterThanOrEqual(0n)
      }
    },
  )

  it('never take a soft account below its overdraft', longEnough, async () => {
    const hold = await holdOf()
    for (let run = 0; run < runs; run += 1) {
      const creditNano = nanoOf(0.05) + BigInt(run)
      const { key } = await newcomer({ creditNano, mode: 'soft' })
      const { admitted } = await race(key)
      // As long as something is left, one more is admitted.
      expect(BigInt(admitted.length)).toBe((creditNano + hold - 1n) / hold)
      const { balanceNano } = await gateway.client.credits(key)
      expect(balanceNano).toBe(creditNano - cost * BigInt(admitted.length))
      expect(balanceNano).toBeGreaterThanOrEqual(-overdraftNano)
    }
  })

  it.each([
    ['money', 7, 402, 'key_limit_exceeded', (hold: bigint) => ({ limitNano: hold * 8n - 1n })],
    ['places', 7, 429, 'concurrency_exceeded', () => ({ concurrency: 7 })],
    // So few that none comes back while they race.
    ['requests per minute', 2, 429, 'rate_limit_exceeded', () => ({ requestsPerMinute: 2 })],
  ])('with a key that has %s for %i admit exactly so many', longEnough, async (_, most, status, code, limits) => {
    const hold = await holdOf()
    for (let run = 0; run < runs; run += 1) {
      const { key } = await newcomer({ creditNano: nanoOf(500), mode: 'strict', key: limits(hold) })
      const { admitted, refused } = await race(key)
      expect(admitted).toHaveLength(most)
      for (const answered of refused) expect(answered.status).toBe(status)
      if (refused[0] !== undefined) expectError(refused[0], { status, code })
    }
  })
})
