import { describe, expect, it } from 'vitest'
import { estimatedTokens, expectError, nanoOf, priceOf, testPricing, useGateway } from '../support/gateway/index.ts'
import * as mock from '../support/mock-engine/index.ts'
import { answer } from '../support/mock-engine/index.ts'

/** Dollars per million: a thousand tokens of output cost a dollar, so that limits of money come into sight. */
const dear = { inputUsdPerMTok: 1, outputUsdPerMTok: 1_000 }
const deadline = {
  timeouts: { connectMs: 2_000, firstByteMs: 9_000, idleMs: 9_000, totalMs: 1_500, streamTotalMs: 1_500 },
}

const gateway = useGateway({
  engines: { main: {}, second: {}, hurried: deadline },
  models: {
    'test/model': {},
    'test/two': { engines: ['main', 'second'] },
    'test/hurried': { engines: ['hurried'] },
    'test/dear': { pricing: dear },
    'test/free': { free: true },
  },
  accounts: {
    soft: { credit: 0.2 },
    strict: { credit: 0.2, mode: 'strict' },
    'almost-soft': { credit: 0.003 },
    'almost-strict': { credit: 0.01, mode: 'strict' },
    empty: { credit: 0 },
    'empty-strict': { credit: 0, mode: 'strict' },
  },
})

const ordinary = { prompt: 16, completion: 5 }
const promptEstimate = () => estimatedTokens(gateway.client.prompt)

interface Row {
  readonly engine?: mock.MockEngine extends infer Engine ? (engine: Engine) => void : never
  readonly body?: object
  readonly charge: () => { prompt: number; completion: number } | null
  readonly outcome: string | null
  readonly source?: 'engine' | 'estimated'
}

/** The table of money.md §3, as far as one answer shows it. Aborts, drains and crashes have files of their own. */
const table: Record<string, Row> = {
  'a finished answer costs its usage': { charge: () => ordinary, outcome: 'done', source: 'engine' },
  'a request that is refused before dispatch is free': { body: { n: 1_000 }, charge: () => null, outcome: null },
  'a node that fails before another answers is free': {
    engine: engine => engine.always(mock.status(503)),
    body: { model: 'test/two' },
    charge: () => ordinary,
    outcome: 'done',
  },
  'a failure of every node is free': {
    engine: engine => engine.always(mock.status(500)),
    charge: () => null,
    outcome: 'upstream_fail',
  },
  'an engine’s refusal is free': {
    engine: engine => engine.always(mock.status(422)),
    charge: () => null,
    outcome: 'refused',
  },
  'no output tokens: the reported prompt is the bill': {
    engine: engine => engine.always(answer({ text: [] })),
    charge: () => ({ prompt: 16, completion: 0 }),
    outcome: 'done',
    source: 'engine',
  },
  'a content filter after output costs what is reported': {
    engine: engine => engine.always(answer({ text: ['a', ' b'], finishReason: 'content_filter' })),
    charge: () => ({ prompt: 16, completion: 2 }),
    outcome: 'done',
    source: 'engine',
  },
  'missing usage is estimated': {
    engine: engine => engine.always(answer({ text: 'twelve chars', usage: mock.usagePlans.missing })),
    charge: () => ({ prompt: promptEstimate(), completion: 3 }),
    outcome: 'done',
    source: 'estimated',
  },
  'implausible usage is estimated as a whole': {
    engine: engine => engine.always(answer({ text: 'twelve chars', usage: mock.usagePlans.aboveContext })),
    charge: () => ({ prompt: promptEstimate(), completion: 3 }),
    outcome: 'done',
    source: 'estimated',
  },
}

describe('the table of outcomes', () => {
  it.each(Object.entries(table).flatMap(([title, row]) => [false, true].map(stream => ({ title, row, stream }))))(
    '$title (stream: $stream)',
    async ({ row, stream }) => {
      row.engine?.(gateway.engine())
      const before = await gateway.client.credits()
      const answered = await gateway.client.chat({ stream, ...row.body })
      const after = await gateway.client.credits()
      const charge = row.charge()
      const cost = charge === null ? 0n : priceOf(charge)
      expect(before.balanceNano - after.balanceNano).toBe(cost)
      expect(after.availableNano).toBe(after.balanceNano)
      const generation = await gateway.client.generation(String(answered.headers['x-generation-id']))
      if (row.outcome === null) expect(generation).toBeNull()
      else {
        expect(generation).toMatchObject({ outcome: row.outcome, ...(row.source ? { usage_source: row.source } : {}) })
        expect(nanoOf(generation?.total_cost ?? -1)).toBe(cost)
      }
    },
  )
})

describe('our deadline while the engine generates', () => {
  it('a stream is charged for prompt and tokens up to then, and the caller is told', async () => {
    gateway.engine('hurried').always(answer({ chunks: 500, everyMs: 50 }))
    const reading = await gateway.client.stream({ model: 'test/hurried' })
    const tokens = gateway.engine('hurried').requests[0]?.tokensGenerated ?? 0
    expect(reading.events.at(-2)?.data).toContain('"code":"upstream_timeout"')
    const generation = await gateway.client.generation(String(reading.headers['x-generation-id']))
    expect(generation?.outcome).toBe('deadline')
    expect(generation?.tokens_completion).toBeGreaterThan(5)
    expect(generation?.tokens_completion).toBeLessThanOrEqual(tokens)
    expect(nanoOf(generation?.total_cost ?? -1)).toBe(
      priceOf({ prompt: promptEstimate(), completion: generation?.tokens_completion ?? 0 }),
    )
  })

  it('a whole answer is charged for prompt and the node’s usual speed, and must not be repeated', async () => {
    gateway.engine('hurried').always(answer({ chunks: 500, everyMs: 50, ignoreLimit: true }))
    const answered = await gateway.client.chat({ model: 'test/hurried', max_tokens: 20 })
    expectError(answered, { status: 504, code: 'upstream_timeout' })
    expect(answered.headers['x-should-retry']).toBe('false')
    const generation = await gateway.client.generation(String(answered.headers['x-generation-id']))
    expect(generation).toMatchObject({ outcome: 'deadline', usage_source: 'estimated', tokens_completion: 20 })
    expect(nanoOf(generation?.total_cost ?? -1)).toBe(priceOf({ prompt: promptEstimate(), completion: 20 }))
  })
})

describe('money decides before any engine is asked', () => {
  const ask = (account: string, body: object) =>
    gateway.client.chat({ model: 'test/dear', ...body }, { key: gateway.account(account).key })
  const limitAtEngine = () => Number(gateway.engine().requests.at(-1)?.body?.['max_tokens'])

  it.each([
    ['soft', 600, 200],
    ['soft', 750, 402],
    ['strict', 150, 200],
    ['strict', 250, 402],
  ])('%s with 0.20 dollars and a limit worth %i thousandths: %i', async (account, limit, status) => {
    const answered = await ask(account, { max_tokens: limit })
    expect(answered.status).toBe(status)
    if (status === 402) {
      const { message } = expectError(answered, { status, code: 'insufficient_balance' })
      expect(message).toMatch(/0\.1\d|0\.2/)
      expect(gateway.engine().requests).toHaveLength(0)
    }
  })

  it.each([
    ['soft', 640, 700],
    ['strict', 140, 200],
  ])('%s without a limit gets the one that the balance pays for', async (account, least, most) => {
    const answered = await ask(account, {})
    expect(answered.status).toBe(200)
    expect(limitAtEngine()).toBeGreaterThanOrEqual(least)
    expect(limitAtEngine()).toBeLessThan(most)
  })

  it('a lowered limit of less than 16 tokens is a refusal', async () => {
    expectError(await ask('almost-strict', {}), { status: 402, code: 'insufficient_balance' })
  })

  it('a soft account may end below zero, and then waits for money', async () => {
    const answered = await ask('almost-soft', { max_tokens: 100 })
    expect(answered.status).toBe(200)
    const { balanceNano } = await gateway.client.credits(gateway.account('almost-soft').key)
    expect(balanceNano).toBe(nanoOf(0.003) - priceOf(ordinary, dear))
    expect(balanceNano).toBeLessThan(0n)
    expectError(await ask('almost-soft', { max_tokens: 1 }), { status: 402, code: 'insufficient_balance' })
  })

  it.each(['empty', 'empty-strict'])('%s may use what is free, and nothing else', async account => {
    const { key } = gateway.account(account)
    const free = await gateway.client.chat({ model: 'test/free' }, { key })
    expect([free.status, free.json.usage?.cost]).toEqual([200, 0])
    for (const model of ['test/model', 'test/dear'])
      expectError(await gateway.client.chat({ model, max_tokens: 1 }, { key }), {
        status: 402,
        code: 'insufficient_balance',
      })
  })

  it('money that comes in counts at once', async () => {
    const { key, name } = await gateway.openAccount('topped-up', { credit: 0 })
    expectError(await gateway.client.chat({}, { key }), { status: 402, code: 'insufficient_balance' })
    await gateway.rialtoJson('credit', name, '1.5')
    expect((await gateway.client.chat({}, { key })).status).toBe(200)
    const { creditedNano } = await gateway.client.credits(key)
    expect(creditedNano).toBe(nanoOf(1.5))
  })
})

it('the prices of these tests have lines that must be rounded', () => {
  expect(priceOf(ordinary, testPricing)).toBe(1_976n + 4_939n)
})
