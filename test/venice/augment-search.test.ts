import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { type MockSearch, startMockSearch } from '../support/mock-search/mock-search.ts'
import { adminClient } from '../support/venice/admin-client.ts'

const servers: Record<'searxng' | 'brave' | 'serper', MockSearch> = {
  searxng: await startMockSearch('searxng'),
  brave: await startMockSearch('brave'),
  serper: await startMockSearch('serper'),
}
afterAll(() => Promise.all(Object.values(servers).map(server => server.close())))

const gateway = useGateway(() => ({
  accounts: {
    seeker: { key: { type: 'admin' } },
    broke: { credit: 0 },
    hasty: { key: { type: 'admin' } },
  },
  settings: {
    search: {
      provider: 'searxng',
      fallback: [],
      baseUrl: servers.searxng.address,
      providers: {
        brave: { apiKey: 'key-of-brave', baseUrl: servers.brave.address },
        serper: { apiKey: 'key-of-serper', baseUrl: servers.serper.address },
      },
    },
    cache: { searchSeconds: 0 },
  },
}))

beforeEach(() => {
  for (const server of Object.values(servers)) server.behave({ kind: 'results', count: 100 })
})

const call = adminClient(gateway, 'seeker')

async function search(body: unknown, account = 'seeker') {
  const answer = await fetch(`${gateway.url}/api/v1/augment/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.account(account).key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as Record<string, never> & Found,
  }
}

interface Found {
  readonly query: string
  readonly results: readonly { title: string; url: string; content: string; date: string }[]
  readonly message: string
}

const spentNano = async () => BigInt((await gateway.client.credits(gateway.account('seeker').key)).usedNano)

describe('POST /api/v1/augment/search: 200', () => {
  it.each([1, 6, 10, 11])('gives exactly %i results in the order of the provider, for a cent', async limit => {
    const before = await spentNano()
    const { status, body } = await search({ query: 'newest release', limit })
    expect(status).toBe(200)
    expect(body.query).toBe('newest release')
    expect(body.results.map(({ url }) => url)).toEqual(
      Array.from({ length: limit }, (_, at) => `https://site-${at + 1}.example/page`),
    )
    expect(body.results[0]).toEqual({
      title: 'Title 1',
      url: 'https://site-1.example/page',
      content: 'Text 1 with marks',
      date: '2024-05-01T00:00:00',
    })
    expect((await spentNano()) - before).toBe(10_000_000n)
  })

  it('gives ten where nothing is said, and stands in the history of bills', async () => {
    expect((await search({ query: 'q', limit: null })).body.results).toHaveLength(10)
    const { data } = (await call('GET', '/billing/usage-history')).body
    expect(data[0]).toMatchObject({ sku: 'augment-web-search', units: 1, amount: -0.01 })
  })

  it.each([
    ['brave', 'brave', 10],
    ['google', 'serper', 5],
  ] as const)('asks by "%s" the provider %s for at most %i results', async (search_provider, name, limit) => {
    const before = servers[name].questions.length
    const { body } = await search({ query: 'q', limit: 20, search_provider })
    expect(body.results).toHaveLength(limit)
    expect(servers[name].questions).toHaveLength(before + 1)
  })

  it('asks the others when the one that was named fails', async () => {
    servers.brave.behave({ kind: 'status', status: 500 })
    expect((await search({ query: 'q', search_provider: 'brave' })).body.results).toHaveLength(10)
  })

  it('tells what the account had before, and what is left of its rate', async () => {
    await gateway.openAccount('counting', { credit: 4.23 })
    const answer = await search({ query: 'q' }, 'counting')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-venice-balance-usd': '4.23',
      'x-balance-remaining': '4.230000',
      'x-ratelimit-type': 'user',
      'x-ratelimit-limit-requests': '20',
      'x-ratelimit-remaining-requests': '19',
    })
  })

  it('finds nothing for nothing', async () => {
    servers.searxng.behave({ kind: 'results', count: 0 })
    const before = await spentNano()
    expect(await search({ query: 'nothing at all' })).toMatchObject({ status: 200, body: { results: [] } })
    expect(await spentNano()).toBe(before)
  })
})

describe('POST /api/v1/augment/search: refused', () => {
  it.each([
    [{}, 'query'],
    [{ query: '' }, 'query'],
    [{ query: 'x'.repeat(401) }, 'query'],
    [{ query: 'q', limit: 0 }, 'limit'],
    [{ query: 'q', limit: 21 }, 'limit'],
    [{ query: 'q', limit: 1.5 }, 'limit'],
    [{ query: 'q', search_provider: 'bing' }, 'search_provider'],
  ])('400 for %j', async (body, path) => {
    const before = await spentNano()
    const answer = await search(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ issues: [{ path: [path] }] })
    expect(await spentNano()).toBe(before)
  })

  it('400 for a field that there is not', async () => {
    expect(await search({ query: 'q', count: 3 })).toMatchObject({ status: 400, body: { issues: [expect.anything()] } })
  })

  it('402 without money', async () => {
    const { status, headers } = await search({ query: 'q' }, 'broke')
    expect([status, headers.get('x-venice-balance-usd'), headers.get('x-ratelimit-type')]).toEqual([402, '0', 'user'])
  })

  it('503 when nobody can look, and free', async () => {
    servers.searxng.behave({ kind: 'status', status: 500 })
    const before = await spentNano()
    const { status, headers, body } = await search({ query: 'q' })
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('10')
    expect(headers.has('x-venice-balance-usd')).toBe(true)
    expect(body).toEqual({ error: 'Web search is not available now. Nothing was charged; try again shortly.' })
    expect(await spentNano()).toBe(before)
  })

  it('429 after twenty in a minute, which stands in the list of what rates refused', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 20; at++) statuses.push((await search({ query: `q ${at}` }, 'hasty')).status)
    const { status, headers } = await search({ query: 'q' }, 'hasty')
    expect([...statuses, status]).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const { data } = (await call('GET', '/api_keys/rate_limits/log', { key: gateway.account('hasty').key })).body
    expect(data).toEqual([expect.objectContaining({ modelId: 'augment', rateLimitType: 'RPM' })])
  })
})
