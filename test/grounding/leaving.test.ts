import { afterAll, describe, expect, it } from 'vitest'
import { estimatedTokens, priceOf } from '../support/gateway/index.ts'
import { FileServer } from '../support/media/file-server.ts'
import { answer } from '../support/mock-engine/index.ts'
import { waitFor } from '../support/wait-for.ts'
import { sentMessages, useSearchGateway } from './search-gateway.ts'

const server = await FileServer.start()
afterAll(() => server.close())

const { gateway, web } = useSearchGateway({
  settings: { fetch: { allowHosts: [server.hostAndPort] }, cache: { searchSeconds: 0, pageSeconds: 0 } },
  accounts: { whole: {}, stream: {}, strict: {}, reader: {}, late: {} },
})

const feeNano = 10_000_000n
const text = 'What shipped in the latest Postgres release?'
const messages = [{ role: 'user', content: text }]
const online = { model: 'test/model:online', messages }
const strictPath = '/api/v1/chat/completions'
const strict = (settings: object, content = text) => ({
  model: 'test/model',
  messages: [{ role: 'user', content }],
  venice_parameters: { include_venice_system_prompt: false, ...settings },
})

/** Asks, goes away as soon as `seen`, and resolves when nothing is held any more. */
async function leave(account: string, ask: { path?: string; body: object }, seen: () => unknown) {
  const { key } = gateway.account(account)
  const abort = new AbortController()
  const { path = '/v1/chat/completions', body } = ask
  const asking = gateway.client
    .send(path, { method: 'POST', body: JSON.stringify(body), key, signal: abort.signal })
    .catch(() => null)
  await waitFor('the search', seen)
  const { availableNano, balanceNano } = await gateway.client.credits(key)
  expect(availableNano).toBeLessThan(balanceNano - feeNano)
  abort.abort()
  expect(await asking).toBeNull()
  return waitFor('the hold to be resolved', async () => {
    const credits = await gateway.client.credits(key)
    return credits.availableNano === credits.balanceNano && credits
  })
}

describe('a caller who leaves while something is looked up', () => {
  it.each([
    ['whole', { body: online }],
    ['stream', { body: { ...online, stream: true } }],
    ['strict', { path: strictPath, body: strict({ enable_web_search: 'on' }) }],
  ])('ends the provider’s call and is charged nothing: %s', async (account, ask) => {
    web().behave({ kind: 'silent' })
    const asked = web().questions.length
    const { usedNano } = await leave(account, ask, () => web().questions.length > asked)
    expect(usedNano).toBe(0n)
    await waitFor('the provider to be left', () => web().questions.at(-1)?.wasLeft)
    expect(gateway.engine().requests).toEqual([])
  })

  it('ends the reading of pages too', async () => {
    let closed = false
    const url = server.answer('/never', (_, response) => void response.once('close', () => (closed = true)))
    const ask = { path: strictPath, body: strict({ enable_web_scraping: true }, `Read ${url}`) }
    const { usedNano } = await leave('reader', ask, () => server.requests.includes('/never'))
    expect(usedNano).toBe(0n)
    await waitFor('the page to be left', () => closed)
  })

  it('leaves the others who wait for the same search their results', async () => {
    web().behave({ kind: 'held' })
    const asked = web().questions.length
    const staying = gateway.client.chat(online)
    await waitFor('the search', () => web().questions.length > asked)
    const abort = new AbortController()
    const leaving = gateway.client.chat(online, { signal: abort.signal }).catch(() => null)
    const store = await gateway.store()
    await waitFor('both to be admitted', async () => (await store.verify()).holdsOpen === 2)
    abort.abort()
    expect(await leaving).toBeNull()
    await waitFor('one to be gone', async () => (await store.verify()).holdsOpen === 1)
    web().behave({ kind: 'results', count: 6 })
    expect((await staying).json['venym']).toMatchObject({ sources: expect.arrayContaining([expect.anything()]) })
    expect(web().questions).toHaveLength(asked + 1)
  })
})

it('a caller who leaves once results are in the prompt pays the fee and the prompt', async () => {
  gateway.engine().always(answer({ firstAfterMs: 20_000 }))
  const { key } = gateway.account('late')
  const abort = new AbortController()
  const asking = gateway.client.chat({ ...online, stream: true }, { key, signal: abort.signal }).catch(() => null)
  await waitFor('the engine', () => gateway.engine().requests.length === 1)
  abort.abort()
  expect(await asking).toBeNull()
  const { usedNano } = await waitFor('the charge', async () => {
    const credits = await gateway.client.credits(key)
    return credits.usedNano > 0n && credits
  })
  const prompt = estimatedTokens(
    sentMessages(gateway)
      .map(({ content }) => content)
      .join(''),
  )
  expect(usedNano).toBe(feeNano + priceOf({ prompt }))
})
