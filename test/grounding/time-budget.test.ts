import { afterAll, describe, expect, it } from 'vitest'
import { nanoOf, priceOf } from '../support/gateway/index.ts'
import { FileServer } from '../support/media/file-server.ts'
import { answer } from '../support/mock-engine/index.ts'
import { startMockSearch } from '../support/mock-search/mock-search.ts'
import { useSearchGateway } from './search-gateway.ts'

const server = await FileServer.start()
const backup = await startMockSearch('brave')
afterAll(() => Promise.all([server.close(), backup.close()]))

const feeNano = 10_000_000n
const answerCost = priceOf({ prompt: 16, completion: 5 })
const messages = [{ role: 'user', content: 'What shipped in the latest Postgres release?' }]
const online = { model: 'test/model:online', messages }

describe('a provider that is silent', () => {
  const { gateway, web } = useSearchGateway({
    settings: {
      search: {
        ...{ fallback: ['brave'], providers: { brave: { apiKey: 'k', baseUrl: backup.address } } },
        ...{ providerTimeoutMs: 200, timeoutMs: 600 },
      },
    },
  })

  it('costs its own time, and the next one is asked', async () => {
    web().behave({ kind: 'silent' })
    const { json } = await gateway.client.chat(online)
    expect(json['venym']).toMatchObject({ sources: expect.arrayContaining([expect.anything()]) })
    expect(nanoOf(json.usage?.cost ?? 0)).toBe(answerCost + feeNano)
    expect(web().questions.at(-1)?.wasLeft).toBe(true)
  })

  it('like all others is told as `timeout`, and costs nothing', async () => {
    web().behave({ kind: 'silent' })
    backup.behave({ kind: 'stalls' })
    const { status, json } = await gateway.client.chat(online)
    expect([status, json['venym']]).toEqual([200, { search_error: 'timeout' }])
    expect(nanoOf(json.usage?.cost ?? 0)).toBe(answerCost)
    backup.behave({ kind: 'results', count: 100 })
  })
})

/** Eight and ten seconds are what callers are promised, so that this takes as long, once for all that it shows. */
describe('eight seconds for all that is looked up', () => {
  const { gateway, web } = useSearchGateway({
    settings: {
      search: { providerTimeoutMs: 60_000, timeoutMs: 60_000 },
      fetch: { allowHosts: [server.hostAndPort] },
      cache: { searchSeconds: 0, pageSeconds: 0 },
    },
  })
  const html = 'text/html; charset=utf-8'
  const page = Buffer.from(`<title>Quick</title><article><p>${'Some words of a page. '.repeat(30)}</p></article>`)

  it('end a search and the reading of pages with what came in time, while a stream is kept alive', async () => {
    web().behave({ kind: 'silent' })
    gateway.engine().always(answer({ firstAfterMs: 3_000, text: ['The', ' engine', ' says', ' so', '.'] }))
    const quick = server.put('/quick', html, page)
    const slow = server.answer('/slow', () => undefined)
    const scraping = {
      model: 'test/model',
      messages: [{ role: 'user', content: `Compare ${slow} and ${quick}` }],
      venice_parameters: { include_venice_system_prompt: false, enable_web_scraping: true },
    }
    const startedAt = performance.now()
    const [searched, streamed, pages] = await Promise.all([
      gateway.client.chat(online),
      gateway.client.stream(online),
      gateway.client.send('/api/v1/chat/completions', { method: 'POST', body: JSON.stringify(scraping) }),
    ])
    expect(performance.now() - startedAt).toBeGreaterThan(10_900)
    expect(searched.json).toMatchObject({ venym: { search_error: 'timeout' } })
    expect(streamed.comments.length).toBeGreaterThan(0)
    expect(streamed.text).toContain('"search_error":"timeout"')
    expect(nanoOf(searched.json.usage?.cost ?? 0)).toBe(answerCost)
    const echo = pages.json['venice_parameters'] as { web_search_citations: { url: string }[] }
    expect(echo.web_search_citations.map(({ url }) => url)).toEqual([quick])
    expect(nanoOf((pages.json['cost'] as { usd: number }).usd)).toBe(answerCost + feeNano)
    expect(gateway.engine().requests).toHaveLength(3)
  }, 60_000)
})
