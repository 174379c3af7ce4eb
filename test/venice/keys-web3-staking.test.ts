import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { adminClient } from '../support/venice/admin-client.ts'
import { createWallet, type Wallet } from '../support/venice/wallet.ts'

const contract = `0x${'1'.repeat(40)}`
const word = (units: bigint) => `0x${units.toString(16).padStart(64, '0')}`

/** A node of a chain on loopback: what it was asked, and what it answers. */
const asked: unknown[] = []
let answer: { status: number; text: string } = { status: 200, text: '' }
const node = createServer((request, response) => {
  request.setEncoding('utf8')
  let text = ''
  request.on('data', chunk => {
    text += chunk
  })
  request.on('end', () => {
    asked.push(JSON.parse(text))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
  })
})
await new Promise<void>(resolve => node.listen(0, '127.0.0.1', resolve))
afterAll(() => new Promise(resolve => node.close(resolve)))
const rpcUrl = `http://127.0.0.1:${(node.address() as AddressInfo).port}/rpc`

const gateway = useGateway({
  models: { 'demo/one': {} },
  settings: { accounts: { selfService: true, staking: { rpcUrl, contract, minimumUnits: '1000000000000000000' } } },
})
const send = adminClient(gateway, 'main')

async function order(wallet: Wallet) {
  const path = '/api_keys/generate_web3_key'
  const { token } = (await send('GET', path, { key: null })).body.data
  const body = { address: wallet.address, signature: wallet.sign(token), token, apiKeyType: 'INFERENCE' }
  return send('POST', path, { key: null, body })
}

it('POST 200: gives a key to whoever has staked the least that is asked for, as the contract says', async () => {
  const wallet = createWallet()
  answer = { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: word(10n ** 18n) }) }
  expect((await order(wallet)).status).toBe(200)
  const data = `0x70a08231${'0'.repeat(24)}${wallet.address.slice(2).toLowerCase()}`
  const params = [{ to: contract, data }, 'latest']
  expect(asked).toEqual([{ jsonrpc: '2.0', id: 1, method: 'eth_call', params }])
})

it('POST 400: gives none to whoever has staked less', async () => {
  answer = { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: word(10n ** 18n - 1n) }) }
  const { status, body } = await order(createWallet())
  expect([status, body]).toEqual([400, { error: 'Wallet has no staked VVV on Base' }])
})

it.each([
  ['an error', 200, JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'secret.host' } })],
  ['no JSON', 200, '<html>'],
  ['a short word', 200, JSON.stringify({ result: '0x' })],
  ['too much', 200, `{"result":"${word(10n ** 30n)}","more":"${'x'.repeat(20_000)}"}`],
  ['another status', 503, JSON.stringify({ result: word(10n ** 30n) })],
])('makes no key and no account where the node answers with %s', async (_, status, text) => {
  const wallet = createWallet()
  answer = { status, text }
  const refused = await order(wallet)
  expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
    503,
    { error: 'What this wallet has staked could not be looked up, so no key was made. Try again in a minute.' },
    '60',
  ])
  expect(refused.text).not.toMatch(/secret|127\.0\.0\.1|rpc/)
  answer = { status: 200, text: JSON.stringify({ result: word(0n) }) }
  expect((await order(wallet)).status).toBe(400)
})
