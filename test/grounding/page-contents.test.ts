import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { chunksOf, nanoOf, priceOf } from '../support/gateway/index.ts'
import { FileServer } from '../support/media/file-server.ts'
import { sentMessages, useSearchGateway } from './search-gateway.ts'

const server = await FileServer.start()
server.put('/robots.txt', 'text/plain', Buffer.from('User-agent: *\nDisallow: /forbidden'))
afterAll(() => server.close())

const { gateway, web } = useSearchGateway({
  models: { 'test/model': {}, 'test/small': { contextTokens: 4_096, maxOutputTokens: 256 } },
  settings: {
    search: { readPages: 2 },
    scrape: { priceUsdPerPage: 0.02 },
    fetch: { allowHosts: [server.hostAndPort] },
    cache: { pageSeconds: 0, searchSeconds: 0 },
  },
})

const searchNano = 10_000_000n
const pageNano = 20_000_000n
const answerCost = priceOf({ prompt: 16, completion: 5 })
const paragraph = 'A sentence that says something, and then says some more of it. '.repeat(8)
const article = (words: string) =>
  `<html><head><title>Page</title></head><body><article><h1>Head</h1><p>${paragraph}</p><p>${words}</p></article></body></html>`
const put = (path: string, words: string) => server.put(path, 'text/html; charset=utf-8', Buffer.from(article(words)))

function find(urls: readonly string[]) {
  const results = urls.map((url, at) => ({ url, title: `Title ${at + 1}`, content: `Extract ${at + 1}` }))
  web().behave({ kind: 'body', body: JSON.stringify({ results }) })
}

const asked = (content: string, model = 'test/model:online') => ({ model, messages: [{ role: 'user', content }] })
const urlsOf = (venym: unknown) => (venym as { sources: { url: string }[] }).sources.map(({ url }) => url)
const context = () => sentMessages(gateway)[0]?.content ?? ''

beforeEach(() => {
  server.requests.length = 0
})

describe('the pages of a question on /v1', () => {
  it('are read instead of a search, five at most, each for its fee, which is held, shown and booked', async () => {
    const urls = [1, 2, 3, 4, 5, 6].map(at => put(`/page-${at}`, `Words ${at}.`))
    const questions = web().questions.length
    const before = await gateway.client.credits()
    const { json } = await gateway.client.chat(asked(`Compare ${urls.join(' and ')}.`))
    expect(urlsOf(json['venym'])).toEqual(urls.slice(0, 5))
    expect(context()).toMatch(/\[1\] Page.*Words 1\..*\[5\] Page.*Words 5\./s)
    expect(web().questions).toHaveLength(questions)
    const fees = 5n * pageNano
    expect(nanoOf(json.usage?.cost ?? 0)).toBe(answerCost + fees)
    expect(json.usage?.cost_details).toMatchObject({ web_search_cost: 0.1 })
    expect((await gateway.client.credits()).usedNano - before.usedNano).toBe(answerCost + fees)
    const generation = await gateway.client.generation(json.id ?? '')
    expect(generation).toMatchObject({ cost_details: { web_search_cost: 0.1 } })
    expect(nanoOf(generation?.hold ?? 0)).toBeGreaterThanOrEqual(answerCost + fees)
  })

  it('stand in the last chunk of a stream', async () => {
    const url = put('/streamed', 'Words.')
    const chunks = chunksOf(await gateway.client.stream(asked(`Read ${url}`)))
    expect(chunks.at(-1)).toMatchObject({ venym: { sources: [{ title: 'Page', url }] } })
    expect(nanoOf(chunks.at(-1)?.usage?.cost ?? 0)).toBe(answerCost + pageNano)
  })

  it('give way to the search that was asked for where none of them can be read', async () => {
    find(['https://found.example/'])
    const { json } = await gateway.client.chat(asked(`What is new on ${server.at('/missing')}?`))
    expect(urlsOf(json['venym'])).toEqual(['https://found.example/'])
    expect(nanoOf(json.usage?.cost ?? 0)).toBe(answerCost + searchNano)
  })

  it('give way to it also where their site does not let programs read them', async () => {
    find(['https://found.example/'])
    const { json } = await gateway.client.chat(asked(`What is new on ${put('/forbidden', 'Words.')}?`))
    expect(urlsOf(json['venym'])).toEqual(['https://found.example/'])
    expect(server.requests).not.toContain('/forbidden')
  })

  it('are not read where nobody asked for the web', async () => {
    const url = put('/unasked', 'Words.')
    const { json } = await gateway.client.chat(asked(`Read ${url}`, 'test/model'))
    expect([json['venym'], server.requests]).toEqual([undefined, []])
  })
})

describe('the first results of a search', () => {
  const question = 'What shipped in the latest Postgres release?'

  it('say on /v1 what their pages say, each for its fee, in their order and number', async () => {
    const pages = [1, 2, 3].map(at => put(`/result-${at}`, `Long words ${at}.`))
    const urls = [...pages, 'https://far.example/']
    find(urls)
    const before = await gateway.client.credits()
    const { json } = await gateway.client.chat(asked(question))
    expect(urlsOf(json['venym'])).toEqual(urls)
    expect(context()).toMatch(
      /\[1\] Title 1\n.*Long words 1\..*\[2\] Title 2\n.*Long words 2\..*\[3\] Title 3\n.*Extract 3/s,
    )
    expect(context()).not.toMatch(/Extract [12]/)
    expect(server.requests.filter(path => path !== '/robots.txt')).toEqual(['/result-1', '/result-2'])
    const cost = answerCost + searchNano + 2n * pageNano
    expect(nanoOf(json.usage?.cost ?? 0)).toBe(cost)
    expect((await gateway.client.credits()).usedNano - before.usedNano).toBe(cost)
    const generation = await gateway.client.generation(json.id ?? '')
    expect(nanoOf(generation?.hold ?? 0)).toBeGreaterThanOrEqual(cost)
  })

  it('keep what the provider shows, for no fee of a page, where it cannot be read', async () => {
    find([put('/readable', 'Long words.'), server.at('/missing')])
    const { json } = await gateway.client.chat(asked(question))
    expect(context()).toMatch(/Long words\..*\[2\] Title 2\n.*Extract 2/s)
    expect(nanoOf(json.usage?.cost ?? 0)).toBe(answerCost + searchNano + pageNano)
  })

  it('are not read where a small model has no room for them beside the other results', async () => {
    const urls = Array.from({ length: 6 }, (_, at) => put(`/narrow-${at}`, 'Long words.'))
    find(urls)
    const { json } = await gateway.client.chat(asked(question, 'test/small:online'))
    expect([urlsOf(json['venym']), server.requests]).toEqual([urls, []])
  })

  it('are not read on /api/v1, where a search costs its own fee alone', async () => {
    find([put('/strict', 'Long words.')])
    const venice_parameters = {
      include_venice_system_prompt: false,
      enable_web_search: 'on',
      enable_web_scraping: true,
    }
    const body = JSON.stringify({ ...asked(question, 'test/model'), venice_parameters })
    const { json } = await gateway.client.send('/api/v1/chat/completions', { method: 'POST', body })
    expect(nanoOf((json['cost'] as { usd: number }).usd)).toBe(answerCost + searchNano)
    expect(server.requests).toEqual([])
  })
})
