import { describe, expect, it } from 'vitest'
import type { CreditCurrency } from '../../src/core/currency.ts'
import { useGateway } from '../support/gateway/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'

const admin = { key: { type: 'admin' } } as const
const names = ['usd', 'bundled', 'earned', 'diem', 'mixed', 'v1', 'limited', 'both', 'shown', 'history'] as const
const accounts = Object.fromEntries(names.map(name => [name, { credit: 0, mode: 'strict', ...admin }] as const))

const gateway = useGateway({ models: { 'demo/one': { name: 'Demo One' } }, accounts })
const call = adminClient(gateway, 'usd')
const keyOf = (account: string) => gateway.account(account).key
const credit = async (account: string, amount: string, currency: CreditCurrency) =>
  (await gateway.store()).credit(account, amount, currency)
const allow = async (account: string, diem: string) => (await gateway.store()).allow(account, diem)

const body = { model: 'demo/one', max_tokens: 20, messages: [{ role: 'user', content: 'Say something.' }] }
const chat = (account: string, change: object = {}, key = keyOf(account)) =>
  call('POST', '/chat/completions', { key, body: { ...body, ...change } })
const balance = async (account: string) => (await call('GET', '/billing/balance', { key: keyOf(account) })).body

/** An amount as it stands in the answer, in billionths; null where there is none. */
function nanoOf(text: string, name: string): bigint | null {
  const [, literal] = new RegExp(`"cost":\\{[^}]*"${name}":([0-9.]+)`).exec(text) ?? []
  if (literal === undefined) return null
  const [whole = '', fraction = ''] = literal.split('.')
  return BigInt(whole + fraction.padEnd(9, '0'))
}

const costOf = ({ text }: { readonly text: string }) => ({ usd: nanoOf(text, 'usd'), diem: nanoOf(text, 'diem') })

/** What the request costs, however it is paid. */
async function priceOf(): Promise<bigint> {
  await credit('usd', '1', 'usd')
  const answer = await chat('usd')
  expect(answer.status).toBe(200)
  const { usd, diem } = costOf(answer)
  expect(diem).toBe(0n)
  if (usd === null || usd === 0n) throw new Error('the request has a price')
  return usd
}

describe('the cost of an answer is split by what paid', () => {
  it.each([{ stream: false }, { stream: true }])('bundled credit counts as dollars: %o', async streamed => {
    const price = await priceOf()
    await credit('bundled', '1', 'bundled')
    expect(costOf(await chat('bundled', streamed))).toEqual({ usd: price, diem: 0n })
  })

  it.each([{ stream: false }, { stream: true }])('an allowance counts as DIEM: %o', async streamed => {
    const price = await priceOf()
    await allow('diem', '5')
    expect(costOf(await chat('diem', streamed))).toEqual({ usd: 0n, diem: price })
  })

  it.each([{ stream: false }, { stream: true }])(
    'what earned credit paid a part of has no cost: %o',
    async streamed => {
      await credit('earned', '0.000000001', 'earned')
      await credit('earned', '1', 'usd')
      const answer = await chat('earned', streamed)
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('"usage":')
      expect(answer.text).not.toContain('"cost"')
    },
  )

  it('each currency pays what it has, to the last billionth', async () => {
    const price = await priceOf()
    await allow('mixed', '0.000000003')
    await credit('mixed', '0.000000002', 'bundled')
    await credit('mixed', '1', 'usd')
    expect(costOf(await chat('mixed'))).toEqual({ usd: price - 3n, diem: 3n })
    expect(costOf(await chat('mixed'))).toEqual({ usd: price, diem: 0n })
    const { text } = await call('GET', '/billing/balance', { key: keyOf('mixed') })
    const left = 1_000_000_000n - 2n * price + 5n
    expect(text).toContain(`"usd":0.${left.toString().padStart(9, '0').replace(/0+$/, '')}`)
    expect(await balance('mixed')).toMatchObject({
      balances: { diem: 0, bundledCredits: 0 },
      diemEpochAllocation: 3e-9,
    })
  })
})

describe('the surface of dollars', () => {
  it('spends dollars alone, and shows no other balance', async () => {
    await credit('v1', '5', 'bundled')
    await allow('v1', '5')
    const refused = await gateway.client.chat({ model: 'demo/one' }, { key: keyOf('v1') })
    expect([refused.status, refused.json.error?.code]).toEqual([402, 'insufficient_balance'])
    expect(await gateway.client.credits(keyOf('v1'))).toMatchObject({ balanceNano: 0n })
    expect((await chat('v1')).status).toBe(200)
  })
})

describe('what an account has', () => {
  it('is shown in every currency, with the one that pays next', async () => {
    await allow('shown', '2.5')
    await credit('shown', '0.25', 'earned')
    await credit('shown', '0.5', 'bundled')
    await credit('shown', '1', 'usd')
    expect(await balance('shown')).toEqual({
      canConsume: true,
      consumptionCurrency: 'DIEM',
      balances: { diem: 2.5, usd: 1, bundledCredits: 0.5, earnedCredits: 0.25 },
      diemEpochAllocation: 2.5,
    })
    const { data } = (await call('GET', '/api_keys/rate_limits', { key: keyOf('shown') })).body
    expect(data.balances).toEqual({ USD: 1, DIEM: 2.5, BUNDLED_CREDITS: 0.5 })
    expect(data.accessPermitted).toBe(true)
    await allow('shown', '0')
    expect(await balance('shown')).toMatchObject({ consumptionCurrency: 'EARNED_CREDITS', balances: { diem: 0 } })
  })

  it('pays although there are no dollars', async () => {
    await credit('bundled', '1', 'bundled')
    expect(await balance('bundled')).toMatchObject({ canConsume: true, consumptionCurrency: 'BUNDLED_CREDITS' })
  })
})

describe('a limit in DIEM', () => {
  const newKey = async (account: string, consumptionLimit: object) => {
    const made = { apiKeyType: 'INFERENCE', description: 'limited', consumptionLimit }
    return (await call('POST', '/api_keys', { key: keyOf(account), body: made })).body.data
  }
  const usageOf = async (account: string, id: string) =>
    (await call('GET', `/api_keys/${id}`, { key: keyOf(account) })).body.data

  it('ends the key with its own text, although the account has more', async () => {
    const price = await priceOf()
    await allow('limited', '5')
    await credit('limited', '5', 'usd')
    const { id, apiKey } = await newKey('limited', { diem: 0.0001 })
    const answer = await chat('limited', {}, apiKey)
    expect(costOf(answer)).toEqual({ usd: 0n, diem: price })
    const refused = await chat('limited', { max_tokens: 500 }, apiKey)
    expect([refused.status, refused.body.code]).toEqual([402, 'API_KEY_DIEM_SPEND_LIMIT_EXCEEDED'])
    expect(refused.body.error).toMatch(/^API key DIEM spend limit exceeded\. .*may still have funds/)
    const { currentPeriodUsage, usage } = await usageOf('limited', id)
    expect(currentPeriodUsage).toEqual({ usd: 0, diem: Number(price) / 1e9 })
    expect(Number(usage.trailingSevenDays.diem)).toBe(Number(price) / 1e9)
    expect(usage.trailingSevenDays.usd).toBe('0.0000')
  })

  it('beside one in USD is used first, and the other afterwards', async () => {
    const price = await priceOf()
    await allow('both', '5')
    await credit('both', '5', 'usd')
    const { id, apiKey } = await newKey('both', { diem: 0.000000004, usd: 0.0001 })
    expect(costOf(await chat('both', {}, apiKey))).toEqual({ usd: price - 4n, diem: 4n })
    expect((await usageOf('both', id)).currentPeriodUsage).toEqual({ usd: Number(price - 4n) / 1e9, diem: 4e-9 })
    const refused = await chat('both', { max_tokens: 500 }, apiKey)
    expect([refused.status, refused.body.code]).toEqual([402, 'API_KEY_USD_SPEND_LIMIT_EXCEEDED'])
  })
})

describe('what was used', () => {
  it('has rows for each currency, which add up, and can be asked for by it', async () => {
    const price = await priceOf()
    await allow('history', '0.000000003')
    await credit('history', '0.000000002', 'earned')
    await credit('history', '1', 'bundled')
    await chat('history')
    await chat('history')
    const rows = async (query: string) =>
      (await call('GET', `/billing/usage-history${query}`, { key: keyOf('history') })).body.data
    const all: { currency: string; amount: number; notes: string }[] = await rows('')
    expect(all.map(({ currency }) => currency)).toEqual([
      ...['DIEM', 'EARNED_CREDITS', 'BUNDLED_CREDITS'],
      ...['BUNDLED_CREDITS', 'BUNDLED_CREDITS'],
    ])
    const sum = all.reduce((nano, { amount }) => nano + BigInt(Math.round(amount * 1e9)), 0n)
    expect(sum).toBe(-2n * price)
    expect(await rows('?currency=DIEM')).toMatchObject([{ currency: 'DIEM', amount: -3e-9, units: 1 }])
    expect(await rows('?currency=EARNED_CREDITS')).toMatchObject([{ amount: -2e-9 }])
    expect(await rows('?currency=USD')).toEqual([])
    const { byDate, byModel, byKey } = (await call('GET', '/billing/usage-analytics', { key: keyOf('history') })).body
    const usd = Number(2n * price - 3n) / 1e9
    expect(byDate[0]).toMatchObject({ USD: usd, DIEM: 3e-9 })
    expect(byModel[0]).toMatchObject({ totalUsd: usd, totalDiem: 3e-9 })
    expect(byKey[0]).toMatchObject({ totalUsd: usd, totalDiem: 3e-9 })
  })
})
