import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { type AdminAnswer, adminClient } from '../support/venice/admin-client.ts'

const admin = { key: { type: 'admin' } } as const

const gateway = useGateway({
  models: { 'demo/one': { name: 'Demo One' }, 'demo/two': { name: 'Demo Two' } },
  accounts: {
    boss: { credit: 12.5, ...admin },
    idle: admin,
    walker: admin,
    broke: { credit: 0, ...admin },
    dated: admin,
  },
})

const call = adminClient(gateway, 'boss')
const keyOf = (account: string) => gateway.account(account).key
const history = (query: string, options: { key?: string; headers?: Record<string, string> } = {}) =>
  call('GET', `/billing/usage-history${query}`, options)

async function use(account: string, requests: number, model = 'demo/one'): Promise<void> {
  for (let request = 0; request < requests; request += 1)
    expect((await gateway.client.chat({ model }, { key: keyOf(account) })).status).toBe(200)
}

/** The literal as it stands in the answer: reading it as a number could hide what is wrong with it. */
function literalsOf({ text }: AdminAnswer, name: string): string[] {
  return [...text.matchAll(new RegExp(`"${name}":(-?[0-9.]+)`, 'g'))].map(([, literal = '']) => literal)
}

describe('GET /api/v1/billing/balance: 200', () => {
  it('shows what there is, in every currency', async () => {
    expect((await call('GET', '/billing/balance')).body).toEqual({
      canConsume: true,
      consumptionCurrency: 'USD',
      balances: { diem: 0, usd: 12.5, bundledCredits: 0, earnedCredits: 0 },
      diemEpochAllocation: 0,
    })
  })

  it('says when nothing is left', async () => {
    const { body } = await call('GET', '/billing/balance', { key: keyOf('broke') })
    expect(body).toMatchObject({ canConsume: false, consumptionCurrency: null, balances: { usd: 0 } })
  })

  it('is exact to the billionth of a dollar', async () => {
    await use('dated', 1)
    const balance = await call('GET', '/billing/balance', { key: keyOf('dated') })
    const { balanceNano } = await gateway.client.credits(keyOf('dated'))
    const [usd = ''] = literalsOf(balance, 'usd')
    const [whole, fraction = ''] = usd.split('.')
    expect(BigInt(whole + fraction.padEnd(9, '0'))).toBe(BigInt(balanceNano))
  })
})

describe('GET /api/v1/billing/usage-history: 200', () => {
  it('has a row for each line of each bill, and adds up to what was paid', async () => {
    await use('boss', 2)
    const answer = await history('')
    const { data, nextCursor } = answer.body
    expect([answer.headers['content-type'], nextCursor]).toEqual(['application/json; charset=utf-8', null])
    expect(data.map(({ sku }: { sku: string }) => sku)).toEqual([
      'demo/one-llm-input-mtoken',
      'demo/one-llm-output-mtoken',
      'demo/one-llm-input-mtoken',
      'demo/one-llm-output-mtoken',
    ])
    expect(data[0]).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sku: 'demo/one-llm-input-mtoken',
      units: 0.000016,
      pricePerUnitUsd: 0.123456789,
      amount: -0.000001976,
      currency: 'USD',
      notes: 'API Inference',
      inferenceDetails: {
        requestId: expect.stringMatching(/^chatcmpl-[0-9a-f]{32}$/),
        promptTokens: 16,
        completionTokens: 5,
        inferenceExecutionTime: expect.any(Number),
      },
    })
    const paidNano = literalsOf(answer, 'amount').reduce((sum, literal) => {
      const [whole = '', fraction = ''] = literal.replace('-', '').split('.')
      return sum + BigInt(whole + fraction.padEnd(9, '0'))
    }, 0n)
    expect(paidNano).toBe(BigInt((await gateway.client.credits(keyOf('boss'))).usedNano))
  })

  it('walks page by page from the oldest to the newest, none left out and none twice', async () => {
    await use('walker', 13)
    const key = keyOf('walker')
    const all = (await history('', { key })).body.data
    expect(all).toHaveLength(26)
    const seen: unknown[] = []
    const cursors: string[] = []
    for (let query = '?pageSize=10'; ; query = `?cursor=${cursors.at(-1)}`) {
      const { body } = await history(query, { key })
      seen.push(...body.data)
      // What is charged while somebody walks is not part of the walk.
      await use('walker', 1)
      if (body.nextCursor === null) break
      cursors.push(body.nextCursor)
    }
    expect(seen).toEqual(all)
    expect([cursors.length, new Set(cursors).size]).toEqual([2, 2])
    for (const cursor of cursors) expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,512}$/)
    const times = all.map(({ timestamp }: { timestamp: string }) => timestamp)
    expect(times).toEqual(times.toSorted())
  })

  it('takes a beginning, an end and a currency', async () => {
    const { data } = (await history('', { key: keyOf('walker') })).body
    const [from, to] = [data[4].timestamp, data[20].timestamp]
    const part = await history(`?startTimestamp=${from}&endTimestamp=${to}&currency=USD&pageSize=1000`, {
      key: keyOf('walker'),
    })
    const meant = data.filter(({ timestamp }: { timestamp: string }) => timestamp >= from && timestamp < to)
    expect(part.body.data).toEqual(meant)
    expect((await history('?currency=DIEM')).body).toEqual({ data: [], nextCursor: null })
    expect((await history('', { key: keyOf('idle') })).body).toEqual({ data: [], nextCursor: null })
  })

  it('has nothing of another account, whatever is asked', async () => {
    const idsOf = async (account: string, query: string) =>
      (await history(query, { key: keyOf(account) })).body.data.map(
        ({ inferenceDetails }: { inferenceDetails: { requestId: string } }) => inferenceDetails.requestId,
      )
    const [ours, theirs] = [await idsOf('boss', ''), await idsOf('walker', '')]
    expect([ours.length > 0, theirs.length > 0]).toEqual([true, true])
    expect(ours.filter((id: string) => theirs.includes(id))).toEqual([])
    const { accountId } = { accountId: gateway.account('walker').id }
    for (const query of [`?accountId=${accountId}`, `?account=walker`, `?account_no=1&account_no=2`])
      for (const id of await idsOf('boss', query)) expect(ours).toContain(id)
    const table = await history('', { headers: { accept: 'text/csv' } })
    for (const id of theirs) expect(table.text).not.toContain(id)
  })

  it('is a table for who accepts one', async () => {
    const headers = { accept: 'text/csv, */*' }
    const first = await history('?pageSize=10', { key: keyOf('walker'), headers })
    expect(first.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename=billing-usage-history-\d{8}T\d{9}Z\.csv$/),
      'x-next-cursor': expect.stringMatching(/^[A-Za-z0-9_-]+$/),
    })
    const lines = first.text.trimEnd().split('\r\n')
    expect(lines[0]).toBe(
      'timestamp,sku,units,pricePerUnitUsd,amount,currency,notes,requestId,promptTokens,completionTokens,inferenceExecutionTime',
    )
    expect(lines).toHaveLength(11)
    expect(lines[1]).toMatch(
      /^[0-9TZ:.-]+,demo\/one-llm-input-mtoken,0\.000016,[\d.]+,-[\d.]+,USD,API Inference,chatcmpl-/,
    )
    const next = await history(`?cursor=${first.headers['x-next-cursor']}`, { key: keyOf('walker'), headers })
    expect(next.text.split('\r\n')[0]).toBe(lines[0])
    const last = await history('', { headers })
    expect(last.headers).not.toHaveProperty('x-next-cursor')
  })
})

describe('GET /api/v1/billing/usage-history: 400', () => {
  it.each([
    ['pageSize=9', 'pageSize'],
    ['pageSize=1001', 'pageSize'],
    ['pageSize=many', 'pageSize'],
    ['currency=EUR', 'currency'],
    ['startTimestamp=yesterday', 'startTimestamp'],
    ['startTimestamp=2026-01-01', 'startTimestamp'],
    ['startTimestamp=2026-01-01T00:00:00%2B01:00', 'startTimestamp'],
    ['endTimestamp=2026-13-01T00:00:00Z', 'endTimestamp'],
    ['startTimestamp=2026-01-02T00:00:00Z&endTimestamp=2026-01-02T00:00:00Z', 'endTimestamp'],
    [`cursor=${'x'.repeat(513)}`, 'cursor'],
    ['cursor=abc&pageSize=10', 'pageSize'],
    ['cursor=abc&currency=USD', 'currency'],
  ])('?%s', async (query, field) => {
    const { status, body } = await history(`?${query}`)
    expect([status, body.error, body.issues?.[0].path]).toEqual([400, 'Invalid request parameters', [field]])
  })

  it('takes no cursor that was given to somebody else, or to nobody', async () => {
    const { nextCursor } = (await history('?pageSize=10', { key: keyOf('walker') })).body
    const forged = `${nextCursor.startsWith('A') ? 'B' : 'A'}${nextCursor.slice(1)}`
    const foreign = await history(`?cursor=${nextCursor}`)
    const changed = await history(`?cursor=${forged}`, { key: keyOf('walker') })
    for (const answer of [foreign, changed, await history('?cursor=abc')])
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('begin again without it')])
  })
})

const today = () => new Date().toISOString().slice(0, 10)
const analytics = (query: string, account = 'dated') =>
  call('GET', `/billing/usage-analytics${query}`, { key: keyOf(account) })

describe('GET /api/v1/billing/usage-analytics: 200', () => {
  it('adds up by day, by model and by key, the dearest first', async () => {
    await use('dated', 2, 'demo/two')
    const { body } = await analytics('')
    const { usedNano } = await gateway.client.credits(keyOf('dated'))
    const used = Number(usedNano) / 1e9
    expect(body.lookback).toBe('7d')
    expect(body.byDate).toHaveLength(7)
    expect(body.byDate[0]).toEqual({ date: today(), USD: used, DIEM: 0 })
    expect(body.byDate[6]).toMatchObject({ USD: 0, DIEM: 0 })
    expect(body.byModel).toEqual([
      {
        modelName: 'Demo Two',
        unitType: 'tokens',
        modelType: 'LLM',
        totalUsd: expect.any(Number),
        totalDiem: 0,
        totalUnits: 42,
        breakdown: expect.any(Array),
      },
      {
        modelName: 'Demo One',
        unitType: 'tokens',
        modelType: 'LLM',
        totalUsd: expect.any(Number),
        totalDiem: 0,
        totalUnits: 21,
        breakdown: expect.any(Array),
      },
    ])
    for (const { breakdown, totalUsd } of body.byModel) {
      const [output, input] = breakdown
      expect([output.type, input.type, breakdown.length]).toEqual(['Output', 'Input', 2])
      expect(output.usd + input.usd).toBeCloseTo(totalUsd, 12)
      expect([output.diem, input.diem, input.units / output.units]).toEqual([0, 0, 16 / 5])
    }
    expect(body.topModels).toEqual(['Demo Two', 'Demo One'])
    expect(body.byModelDaily.at(-1)).toEqual({
      date: Date.parse(today()),
      'Demo Two': body.byModel[0].totalUsd,
      'Demo One': body.byModel[1].totalUsd,
    })
    const name = 'a key of dated'
    expect(body.byKey).toEqual([
      {
        apiKeyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        description: name,
        totalUsd: used,
        totalDiem: 0,
        totalUnits: 63,
      },
    ])
    expect(body.topKeyNames).toEqual([name])
    expect(body.byKeyDaily.at(-1)).toEqual({ date: Date.parse(today()), [name]: used })
  })

  it('keeps an answer for ten minutes', async () => {
    const { text } = await analytics('?lookback=30d')
    await use('dated', 1)
    expect((await analytics('?lookback=30d')).text).toBe(text)
    expect((await analytics('?lookback=31d')).body.byKey[0].totalUnits).toBe(84)
  })

  it.each([
    ['?lookback=1d', '1d', 1],
    ['?lookback=90d', '90d', 90],
    ['?startDate=2026-01-01&endDate=2026-01-31', '2026-01-01:2026-01-31', 31],
    ['?startDate=2026-01-01&endDate=2026-01-01&lookback=7d', '2026-01-01:2026-01-01', 1],
  ])('takes %s', async (query, lookback, days) => {
    const { body } = await analytics(query, 'idle')
    expect([body.lookback, body.byDate.length, body.byModelDaily.length]).toEqual([lookback, days, days])
    expect(body).toMatchObject({ byModel: [], topModels: [], byKey: [], topKeyNames: [] })
  })
})

describe('GET /api/v1/billing/usage-analytics: 400', () => {
  it.each([
    ['lookback=0d', 'lookback'],
    ['lookback=91d', 'lookback'],
    ['lookback=7', 'lookback'],
    ['startDate=2026-01-01', 'endDate'],
    ['endDate=2026-01-01', 'startDate'],
    ['startDate=2026-02-30&endDate=2026-03-01', 'startDate'],
    ['startDate=2026-01-02&endDate=2026-01-01', 'endDate'],
    ['startDate=2026-01-01&endDate=2026-04-01', 'endDate'],
    ['startDate=1.1.2026&endDate=2026-01-01', 'startDate'],
  ])('?%s', async (query, field) => {
    const { status, body } = await analytics(`?${query}`)
    expect([status, body.issues?.[0].path]).toEqual([400, [field]])
  })
})

describe('GET /api/v1/billing/usage: 410', () => {
  it.each([null, 'vk-unknown'])('tells everybody where its rows are now (key %s)', async key => {
    const { status, headers, body } = await call('GET', '/billing/usage?page=1', { key })
    expect([status, body.error]).toEqual([410, expect.stringContaining('/api/v1/billing/usage-history')])
    expect(headers).toMatchObject({
      deprecation: '@1789516800',
      sunset: 'Wed, 16 Sep 2026 00:00:00 GMT',
      link: expect.stringMatching(/^<http:.*\/api\/v1\/billing\/usage-history>; rel="successor-version"$/),
    })
  })
})

describe('/api/v1/billing/*: 401, 402, 405', () => {
  it.each(['balance', 'usage-history', 'usage-analytics'])('%s takes admin keys only', async name => {
    const path = `/billing/${name}`
    expect((await call('GET', path, { key: null })).body.accepts).toEqual([])
    expect((await call('GET', path, { key: null, headers: { 'sign-in-with-x': 'e30=' } })).status).toBe(402)
    const inference = await call('GET', path, { key: keyOf('main') })
    expect([inference.status, inference.body.error]).toEqual([401, 'Admin API key required'])
    expect((await call('GET', path, { key: 'vk-unknown' })).status).toBe(401)
    expect((await call('POST', path, { body: {} })).status).toBe(405)
  })
})
