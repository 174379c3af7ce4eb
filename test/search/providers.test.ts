import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { providerShapes, type RemoteProviderName } from '../../src/adapters/search/shapes/index.ts'
import { createWebProvider } from '../../src/adapters/search/web-provider.ts'
import { systemClock } from '../../src/adapters/system/system-clock.ts'
import type { ProviderAnswer, SearchProvider } from '../../src/domain/search/search-provider.ts'
import { Secret } from '../../src/lib/secret.ts'
import { atEnd } from '../support/at-end.ts'
import { type MockSearch, startMockSearch } from '../support/mock-search/mock-search.ts'

const wishes = { limit: 6, language: null, freshness: null }
const patience = () => AbortSignal.timeout(5_000)
const names = Object.keys(providerShapes) as RemoteProviderName[]

function resultsOf(answer: ProviderAnswer) {
  if (!('results' in answer)) throw new Error(`no results but ${answer.failure}`)
  return answer.results
}

describe.each(names)('%s', name => {
  let server: MockSearch
  let provider: SearchProvider
  beforeAll(async () => {
    server = await startMockSearch(name)
    provider = createWebProvider({
      shape: providerShapes[name],
      address: server.address,
      apiKey: new Secret('key-of-operator'),
      userAgent: 'rialto',
      clock: systemClock,
    })
  })
  afterEach(() => server.behave({ kind: 'results', count: 100 }))
  afterAll(async () => {
    await provider.close()
    await server.close()
  })

  it.each([1, 6, 10, 11])('gives exactly %i results, in its order', async limit => {
    const results = resultsOf(await provider.search('q', { ...wishes, limit }, patience()))
    expect(results.map(({ url }) => url)).toEqual(
      Array.from({ length: limit }, (_, at) => `https://site-${at + 1}.example/page`),
    )
    for (const [at, { title, content }] of results.entries()) {
      expect([`Title ${at + 1}`, `site-${at + 1}.example`]).toContain(title)
      expect(content).toMatch(new RegExp(`^Text ${at + 1}`))
      expect(content).not.toMatch(/[<>]|&amp;/)
    }
  })

  it('gives what there is when that is less than was asked for', async () => {
    server.behave({ kind: 'results', count: 3 })
    expect(resultsOf(await provider.search('q', { ...wishes, limit: 10 }, patience()))).toHaveLength(3)
  })

  it('asks for the query alone, with its key where the provider takes keys', async () => {
    const query = 'prix du pain & "2024" — 東京 #1'
    await provider.search(query, wishes, patience())
    const { url, body, headers } = server.questions.at(-1) ?? expect.fail('was not asked')
    const sent = [...url.searchParams.values(), ...Object.values((body ?? {}) as Record<string, unknown>)]
    expect(sent).toContain(query)
    const hasKey = JSON.stringify(headers).includes('key-of-operator')
    expect(hasKey).toBe(name !== 'searxng')
    expect(url.href).not.toContain('key-of-operator')
  })

  it.each([
    [401, 'unauthorised'],
    [403, 'unauthorised'],
    [429, 'rate_limited'],
    [500, 'down'],
    [503, 'down'],
    [400, 'garbage'],
    [204, 'garbage'],
  ] as const)('takes status %i for "%s"', async (status, failure) => {
    server.behave({ kind: 'status', status })
    expect(await provider.search('q', wishes, patience())).toEqual({ failure, retryAfterMs: null })
  })

  it('says how long a provider wants to be left alone', async () => {
    server.behave({ kind: 'status', status: 429, headers: { 'retry-after': '17' } })
    expect(await provider.search('q', wishes, patience())).toEqual({ failure: 'rate_limited', retryAfterMs: 17_000 })
  })

  it('finds nothing where there is nothing', async () => {
    server.behave({ kind: 'results', count: 0 })
    expect(await provider.search('q', wishes, patience())).toMatchObject({ failure: 'empty' })
  })

  it.each([
    ['a page instead of JSON', '<html>log in</html>'],
    ['half of an answer', '{"results":[{"url":"https://h'],
    ['another shape', '{"results":"none","type":7,"data":4,"organic":1}'],
    ['a list', '[1,2]'],
    ['nothing', ''],
    ['nesting without end', `${'['.repeat(5_000)}`],
  ])('takes %s for garbage', async (_, body) => {
    server.behave({ kind: 'body', body })
    expect(await provider.search('q', wishes, patience())).toMatchObject({ failure: 'garbage' })
  })

  it('reads no more of a huge answer than its bound', async () => {
    server.behave({ kind: 'huge' })
    expect(await provider.search('q', wishes, patience())).toMatchObject({ failure: 'garbage' })
  })

  it('follows no redirect', async () => {
    const elsewhere = await startMockSearch(name)
    server.behave({ kind: 'redirect', to: `${elsewhere.address}/search` })
    expect(await provider.search('q', wishes, patience())).toMatchObject({ failure: 'garbage' })
    expect(elsewhere.questions).toEqual([])
    await elsewhere.close()
  })

  it.each(['silent', 'stalls'] as const)('ends with its signal when the server %s', async kind => {
    server.behave({ kind })
    await expect(provider.search('q', wishes, AbortSignal.timeout(50))).rejects.toThrow(/timeout/)
  })
})

it('a provider that is not there is down', async () => {
  const server = await startMockSearch('searxng')
  await server.close()
  const provider = createWebProvider({
    shape: providerShapes.searxng,
    address: server.address,
    apiKey: null,
    userAgent: 'rialto',
    clock: systemClock,
  })
  expect(await provider.search('q', wishes, patience())).toMatchObject({ failure: 'down' })
  await provider.close()
})

describe('SearXNG, which takes no number of results', () => {
  const open = async () => {
    const server = await startMockSearch('searxng')
    const options = { address: server.address, apiKey: null, userAgent: 'rialto', clock: systemClock }
    const provider = createWebProvider({ shape: providerShapes.searxng, ...options })
    atEnd(() => Promise.all([provider.close(), server.close()]))
    return { server, provider }
  }
  const pagesAsked = ({ questions }: MockSearch) => questions.map(({ url }) => url.searchParams.get('pageno'))

  it.each([
    [10, 100, ['1'], 10],
    [11, 100, ['1', '2'], 11],
    [20, 100, ['1', '2'], 20],
    [20, 15, ['1', '2', '3'], 15],
    [20, 7, ['1', '2'], 7],
  ])('is asked for page after page until it gave %i of %i: %j', async (limit, count, pages, given) => {
    const { server, provider } = await open()
    server.behave({ kind: 'results', count })
    expect(resultsOf(await provider.search('q', { ...wishes, limit }, patience()))).toHaveLength(given)
    expect(pagesAsked(server)).toEqual(pages)
  })

  it('gives its first page where the second one fails or is too slow', async () => {
    for (const then of [{ kind: 'status', status: 500 }, { kind: 'silent' }] as const) {
      const { server, provider } = await open()
      server.afterNext(then)
      const answer = await provider.search('q', { ...wishes, limit: 20 }, AbortSignal.timeout(500))
      expect(resultsOf(answer)).toHaveLength(10)
      expect(pagesAsked(server)).toEqual(['1', '2'])
    }
  })
})

describe('wishes', () => {
  const nowMs = Date.UTC(2026, 10, 30)
  const encoded = (name: RemoteProviderName, more: object) =>
    JSON.stringify(
      providerShapes[name].encode({ query: 'q', wishes: { ...wishes, ...more }, key: 'k', page: 1, nowMs }),
    )

  it('of freshness and language reach the providers that know them, in their words', () => {
    const fresh = { freshness: 'week', language: 'ja' }
    expect(encoded('searxng', fresh)).toMatch(/language=ja.*time_range=month/)
    expect(encoded('brave', fresh)).toMatch(/search_lang=jp.*freshness=pw/)
    expect(encoded('tavily', fresh)).toMatch(/"time_range":"week"/)
    expect(encoded('exa', fresh)).toContain('"startPublishedDate":"2026-11-23T00:00:00.000Z"')
    expect(encoded('exa', {})).not.toContain('startPublishedDate')
    expect(encoded('serper', fresh)).toMatch(/"hl":"ja".*"tbs":"qdr:w"/)
  })

  it('that a provider would refuse are left out', () => {
    expect(encoded('brave', { language: 'xx' })).not.toContain('search_lang')
  })
})
