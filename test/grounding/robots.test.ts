import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'
import { FileServer } from '../support/media/file-server.ts'

/** A site of its own for each case, because what a site said is remembered. */
const sites = await Promise.all(Array.from({ length: 10 }, () => FileServer.start()))
const [open, closed, broken, partly, led, strict, scraped, ignored, gone, silent] = sites as [
  FileServer,
  FileServer,
  FileServer,
  FileServer,
  FileServer,
  FileServer,
  FileServer,
  FileServer,
  FileServer,
  FileServer,
]
afterAll(() => Promise.all(sites.map(site => site.close())))

const settings = (robots: 'obey' | 'ignore') => ({
  search: { provider: 'embedded' as const, fallback: [] },
  scrape: { robots },
  fetch: { allowHosts: sites.map(({ hostAndPort }) => hostAndPort) },
  cache: { pageSeconds: 0 },
})
const gateway = useGateway({ settings: settings('obey') })

const answerCost = priceOf({ prompt: 16, completion: 5 })
const html = `<html><head><title>Page</title></head><body><article><p>${'A sentence of some length. '.repeat(20)}</p></article></body></html>`
const put = (site: FileServer, path: string) => site.put(path, 'text/html; charset=utf-8', Buffer.from(html))
const says = (site: FileServer, rules: string) => site.put('/robots.txt', 'text/plain', Buffer.from(rules))

async function ask(content: string, on = gateway) {
  const venice_parameters = { include_venice_system_prompt: false, enable_web_scraping: true }
  const body = JSON.stringify({ model: 'test/model', messages: [{ role: 'user', content }], venice_parameters })
  const { status, json } = await on.client.send('/api/v1/chat/completions', { method: 'POST', body })
  expect([status, json]).toEqual([200, expect.anything()])
  const echo = json['venice_parameters'] as { search_error?: string; web_search_citations: { url: string }[] }
  const cost = nanoOf((json['cost'] as { usd: number }).usd)
  return {
    error: echo.search_error,
    urls: echo.web_search_citations.map(({ url }) => url),
    isFree: cost === answerCost,
  }
}

beforeEach(() => {
  for (const site of sites) site.requests.length = 0
})

describe('a page', () => {
  it('is read where the site has no robots.txt, which is asked for once', async () => {
    const urls = [put(open, '/a'), put(open, '/b')]
    expect(await ask(urls.join(' '))).toMatchObject({ urls, error: undefined })
    await ask(urls.join(' '))
    expect(open.requests.filter(path => path === '/robots.txt')).toHaveLength(1)
  })

  it('is not read where the site forbids it, for nothing, and the answer says so', async () => {
    says(closed, 'User-agent: *\nDisallow: /')
    expect(await ask(put(closed, '/a'))).toEqual({ urls: [], error: 'disallowed', isFree: true })
    expect(closed.requests).toEqual(['/robots.txt'])
  })

  it('is not read where the site cannot say what it allows', async () => {
    broken.answer('/robots.txt', (_request, response) => void response.writeHead(503).end())
    expect(await ask(put(broken, '/a'))).toMatchObject({ urls: [], error: 'disallowed' })
    expect(broken.requests).toEqual(['/robots.txt'])
  })

  it('is unreadable, and not forbidden, where nobody is there or the site is silent', async () => {
    await gone.close()
    silent.answer('/robots.txt', () => undefined)
    for (const url of [gone.at('/a'), put(silent, '/a')]) {
      expect(await ask(url)).toEqual({ urls: [], error: 'unreadable', isFree: true })
      // Not through the client, which takes a 500 for a fault of the gateway.
      const answer = await fetch(`${gateway.url}/api/v1/augment/scrape`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.account().key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ url }),
      })
      expect([answer.status, await answer.json()]).toEqual([
        500,
        { error: expect.stringContaining('Nothing was charged') },
      ])
    }
    expect(silent.requests).not.toContain('/a')
  })

  it('is read beside one that is forbidden', async () => {
    says(partly, 'User-agent: rialto\nDisallow: /secret')
    const urls = [put(partly, '/secret/a'), put(partly, '/open')]
    expect(await ask(urls.join(' '))).toMatchObject({ urls: [urls[1]], error: undefined })
    expect(partly.requests).not.toContain('/secret/a')
  })

  it('is not read where another page leads on to it', async () => {
    says(strict, 'User-agent: *\nDisallow: /a')
    const to = put(strict, '/a')
    const from = led.answer('/from', (_request, response) => void response.writeHead(302, { location: to }).end())
    expect(await ask(from)).toMatchObject({ urls: [], error: 'disallowed' })
    expect(strict.requests).toEqual(['/robots.txt'])
  })

  it('is refused with 400 by /augment/scrape, for nothing', async () => {
    says(scraped, 'User-agent: *\nDisallow: /')
    const before = await gateway.client.credits()
    const body = JSON.stringify({ url: put(scraped, '/a') })
    const { status, json } = await gateway.client.send('/api/v1/augment/scrape', { method: 'POST', body })
    expect([status, json['error']]).toEqual([400, expect.stringContaining('robots.txt')])
    expect((await gateway.client.credits()).usedNano).toBe(before.usedNano)
  })
})

describe('an operator who lets robots.txt be ignored', () => {
  const careless = useGateway({ settings: settings('ignore') })

  it('has pages read without asking', async () => {
    says(ignored, 'User-agent: *\nDisallow: /')
    const url = put(ignored, '/a')
    expect(await ask(url, careless)).toMatchObject({ urls: [url] })
    expect(ignored.requests).toEqual(['/a'])
  })
})
