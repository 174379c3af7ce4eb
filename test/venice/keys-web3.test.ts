import { describe, expect, it } from 'vitest'
import { createWalletToken } from '../../src/dialects/venice/wallet-token.ts'
import { signJwt } from '../../src/lib/jwt.ts'
import { useGateway } from '../support/gateway/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'
import { createWallet } from '../support/venice/wallet.ts'

const path = '/api_keys/generate_web3_key'

describe('with accounts.selfService', () => {
  const gateway = useGateway({ models: { 'demo/one': {} }, settings: { accounts: { selfService: true } } })
  const send = adminClient(gateway, 'main')
  const call = (method: string, options: { body?: unknown; headers?: Record<string, string> } = {}) =>
    send(method, path, { ...options, key: null })
  const newToken = async (): Promise<string> => (await call('GET')).body.data.token
  /** A token that this gateway might have made, at another time or under another name. */
  const tokenOf = (change: { nowMs?: number; publicUrl?: string; secret?: Buffer }) =>
    createWalletToken({ ...groundOf(), ...change }, 'nonce')
  const groundOf = () => ({
    secret: Buffer.from(gateway.secrets.gatewaySecret),
    publicUrl: gateway.url,
    nowMs: Date.now(),
  })

  async function order(change: object = {}, wallet = createWallet()) {
    const token = await newToken()
    const body = { address: wallet.address, signature: wallet.sign(token), token, apiKeyType: 'INFERENCE', ...change }
    return call('POST', { body })
  }

  it('GET 200: gives everybody a token, each another one', async () => {
    const { status, headers, body } = await call('GET')
    expect([status, headers['cache-control'], body.success]).toEqual([200, 'private, no-store', true])
    expect(body.data.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(await newToken()).not.toBe(body.data.token)
  })

  it('POST 200: makes a key of the account of a wallet, which is made with the first one', async () => {
    const wallet = createWallet()
    const first = await order({}, wallet)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        apiKey: expect.stringMatching(/^vk-[0-9A-Za-z]{43}$/),
        apiKeyType: 'INFERENCE',
        description: 'Web3 API Key',
        expiresAt: null,
        consumptionLimit: { usd: null, diem: null, vcu: null },
        limitPeriod: 'EPOCH',
        modelPrivacy: 'ALL',
      },
    })
    const shouted = `0x${wallet.address.slice(2).toUpperCase()}`
    const wanted = { address: shouted, apiKeyType: 'ADMIN', description: 'mine', consumptionLimit: { usd: 1 } }
    const second = await order(wanted, wallet)
    expect(second.body.data).toMatchObject({ apiKeyType: 'ADMIN', description: 'mine', consumptionLimit: { usd: 1 } })
    const { body } = await send('GET', '/api_keys', { key: second.body.data.apiKey })
    expect(body.data.map(({ description }: { description: string }) => description)).toEqual(['mine', 'Web3 API Key'])
  })

  it('POST 200: such an account is strict, and pays before it asks', async () => {
    const wallet = createWallet()
    const key = (await order({}, wallet)).body.data.apiKey
    expect((await gateway.client.chat({}, { key })).status).toBe(402)
    const store = await gateway.store()
    // A soft account may begin what costs more than it has.
    await store.credit(wallet.address, 0.000001)
    expect((await gateway.client.chat({ max_tokens: 1_000 }, { key })).status).toBe(402)
    await store.credit(wallet.address, 1)
    expect((await gateway.client.chat({}, { key })).status).toBe(200)
  })

  it('POST 200: a wallet that asks twice at once has one account', async () => {
    const wallet = createWallet()
    const made = await Promise.all([order({}, wallet), order({ apiKeyType: 'ADMIN' }, wallet)])
    expect(made.map(({ status }) => status)).toEqual([200, 200])
    const { body } = await send('GET', '/api_keys', { key: made[1]?.body.data.apiKey })
    expect(body.data).toHaveLength(2)
  })

  describe('a token that a wallet signed', () => {
    async function signed(wallet = createWallet()) {
      const token = await newToken()
      return { address: wallet.address, signature: wallet.sign(token), token, apiKeyType: 'INFERENCE' }
    }
    const used = { error: 'JWT was used already. Get a new token and sign that: each makes one key.' }

    it.each([{}, { apiKeyType: 'ADMIN' }, { description: 'another' }])(
      'POST 400: makes no second key, with %j',
      async change => {
        const body = await signed()
        expect((await call('POST', { body })).status).toBe(200)
        const shouted = `0x${body.address.slice(2).toUpperCase()}`
        for (const address of [body.address, shouted]) {
          const again = await call('POST', { body: { ...body, ...change, address } })
          expect([again.status, again.body]).toEqual([400, used])
        }
      },
    )

    it('POST 400: makes one key of many calls at once', async () => {
      const body = await signed()
      const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', { body })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
    })

    it('POST 400: makes none when its key was deleted', async () => {
      const wallet = createWallet()
      const body = await signed(wallet)
      const { id } = (await call('POST', { body })).body.data
      const admin = (await order({ apiKeyType: 'ADMIN' }, wallet)).body.data.apiKey
      expect((await send('DELETE', `/api_keys?id=${id}`, { key: admin })).status).toBe(200)
      expect((await call('POST', { body })).body).toEqual(used)
    })

    it('POST 200: is not used up by another wallet that signs it first', async () => {
      const body = await signed()
      const rival = createWallet()
      const first = { ...body, address: rival.address, signature: rival.sign(body.token) }
      for (const each of [first, body]) expect((await call('POST', { body: each })).status).toBe(200)
    })
  })

  const stranger = createWallet()

  it.each<[string, () => object | Promise<object>]>([
    ['Invalid wallet address', () => ({ address: '0x123' })],
    ['Invalid wallet address', () => ({ address: 'So11111111111111111111111111111111111111112' })],
    ['JWT is malformed', () => ({ token: 'token' })],
    ['JWT signature is invalid', () => ({ token: tokenOf({ secret: Buffer.from('another') }) })],
    ['JWT signature is invalid', () => ({ token: signJwt({}, Buffer.from(gateway.secrets.gatewaySecret)) })],
    ['JWT claims are invalid', () => ({ token: tokenOf({ publicUrl: 'https://elsewhere.test' }) })],
    ['JWT has expired', () => ({ token: tokenOf({ nowMs: Date.now() - 901_000 }) })],
    ['Could not verify wallet signature', () => ({ signature: '0x1234' })],
    ['Could not verify wallet signature', () => ({ signature: `0x${'f'.repeat(130)}` })],
    ['Wallet signature does not match', () => ({ address: stranger.address })],
    ['Wallet signature does not match', async () => ({ signature: stranger.sign(await newToken()) })],
  ])('POST 400: %s', async (error, change) => {
    const answer = await order(await change())
    expect([answer.status, answer.body]).toEqual([400, { error }])
  })

  it.each([
    [{ address: undefined }, ['address']],
    [{ signature: undefined }, ['signature']],
    [{ token: undefined }, ['token']],
    [{ apiKeyType: undefined }, ['apiKeyType']],
    [{ description: 'x'.repeat(65) }, ['description']],
    [{ expiresAt: '2020-01-01' }, ['expiresAt']],
    [{ consumptionLimit: { usd: -1 } }, ['consumptionLimit', 'usd']],
    [{ limitPeriod: 'DAY' }, ['limitPeriod']],
    [{ modelPrivacy: 'x' }, ['modelPrivacy']],
    [{ chain: 'base' }, []],
  ])('POST 400: refuses %j', async (change, at) => {
    const { status, body } = await order(change)
    expect([status, body.issues[0].path]).toEqual([400, at])
  })

  it('POST 400: refuses what is no JSON', async () => {
    expect((await call('POST', { body: '{' })).body).toMatchObject({ error: 'Invalid JSON request' })
  })

  it('405: takes no other method', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) expect((await call(method)).status).toBe(405)
  })
})
