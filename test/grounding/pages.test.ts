import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { pageOf, pdfFile } from '../support/documents/pdf-file.ts'
import { nanoOf, priceOf, useGateway } from '../support/gateway/index.ts'
import { FileServer } from '../support/media/file-server.ts'
import { hostilePages, orders, unseen } from './hostile-pages.ts'
import { sentMessages } from './search-gateway.ts'

const server = await FileServer.start()
/** Nobody may be led here. */
const trap = await FileServer.start()
afterAll(() => Promise.all([server.close(), trap.close()]))

const gateway = useGateway({
  settings: { fetch: { allowHosts: [server.hostAndPort] }, cache: { pageSeconds: 0 } },
  accounts: { hasty: {} },
})
beforeEach(() => {
  server.requests.length = 0
  trap.requests.length = 0
})

const answerCost = priceOf({ prompt: 16, completion: 5 })
const feeNano = 10_000_000n
const paragraph = 'A sentence that says something, and then says some more of it. '.repeat(8)
const article = (inside: string) =>
  `<html><head><title>Title</title></head><body><nav>Menu</nav><article><h1>Head</h1><p>${paragraph}</p>${inside}</article></body></html>`
const html = 'text/html; charset=utf-8'

async function ask(content: string) {
  const venice_parameters = { include_venice_system_prompt: false, enable_web_scraping: true, enable_web_search: 'on' }
  const body = JSON.stringify({ model: 'test/model', messages: [{ role: 'user', content }], venice_parameters })
  const { status, json } = await gateway.client.send('/api/v1/chat/completions', { method: 'POST', body })
  expect([status, json]).toEqual([200, expect.anything()])
  const echo = json['venice_parameters'] as { web_search_citations: { url: string; content: string }[] }
  return { json, echo, cost: nanoOf((json['cost'] as { usd: number }).usd) }
}

function scrape(url: string, account = 'main') {
  const body = JSON.stringify({ url })
  return gateway.client.send('/api/v1/augment/scrape', { method: 'POST', body, key: gateway.account(account).key })
}

describe('the pages of a question', () => {
  it('are read instead of a search, five at most, each for its fee', async () => {
    const urls = [1, 2, 3, 4, 5, 6].map(at =>
      server.put(`/page-${at}`, html, Buffer.from(article(`<p>Part ${at}</p>`))),
    )
    const { echo, cost } = await ask(`Compare ${urls.join(' and ')}.`)
    expect(echo.web_search_citations.map(({ url }) => url)).toEqual(urls.slice(0, 5))
    expect(echo.web_search_citations[2]?.content).toContain('Part 3')
    expect(cost).toBe(answerCost + 5n * feeNano)
    expect(sentMessages(gateway)[0]?.content).toContain('[5] Title')
  })

  it('are one, for one fee, where they differ in the place within it or lead on to the same', async () => {
    const to = server.put('/same', html, Buffer.from(article('')))
    const from = ['/first', '/second'].map(path =>
      server.answer(path, (_request, response) => void response.writeHead(302, { location: to }).end()),
    )
    for (const urls of [[`${to}#a`, `${to}#b`, to], from, [to, ...from]]) {
      const { echo, cost } = await ask(`Compare ${urls.join(' and ')}.`)
      expect(echo.web_search_citations.map(({ url }) => url.replace('#a', ''))).toEqual([to])
      expect(cost).toBe(answerCost + feeNano)
    }
  })

  it('are free where they cannot be read, and the answer says so', async () => {
    const { echo, cost } = await ask(`Read ${server.at('/missing')}`)
    expect([cost, echo]).toEqual([answerCost, expect.objectContaining({ search_error: 'unreadable' })])
  })

  it('are read by the reader of documents where they are PDF files, in a question and by themselves', async () => {
    const file = pdfFile([pageOf(['The harvest of nineteen sixty-one.']), pageOf(['Barley fell by a third.'])])
    const url = server.put('/report.pdf', 'application/pdf', file)
    const { echo, cost } = await ask(`What does ${url} say of barley?`)
    expect(echo.web_search_citations).toMatchObject([
      { url, content: expect.stringContaining('Barley fell by a third.') },
    ])
    expect(cost).toBe(answerCost + feeNano)
    const { json } = await scrape(url)
    expect(json).toMatchObject({ url, content: expect.stringMatching(/harvest.*Barley/s), format: 'markdown' })
  })

  it('keep their tables, in their own coding', async () => {
    const table = '<table><tr><th>Größe</th><th>Preis</th></tr><tr><td>1</td><td>2 €</td></tr></table>'
    const url = server.put(
      '/table',
      'text/html; charset=windows-1252',
      Buffer.from(article(table).replace('€', '\u0080'), 'latin1'),
    )
    const { echo } = await ask(`Read ${url}`)
    expect(echo.web_search_citations[0]?.content).toContain('| Größe | Preis |\n| --- | --- |\n| 1 | 2 € |')
  })
})

describe('200 hostile pages', () => {
  const kinds = Object.entries(hostilePages({ server, trap }))

  it('are 200', () => expect(kinds.flatMap(([, pages]) => pages)).toHaveLength(200))

  it.each(kinds)(
    '%s: nothing is fetched but the page, no tool is there, and only what was read is named',
    async (kind, pages) => {
      let read = 0
      for (let at = 0; at < pages.length; at += 5) {
        const urls = pages.slice(at, at + 5)
        server.requests.length = 0
        const { echo, json } = await ask(`Read ${urls.join(' ')}`)
        expect(trap.requests).toEqual([])
        const visited = server.requests.filter(path => path !== '/robots.txt')
        expect(visited.toSorted()).toEqual(urls.map(url => new URL(url).pathname).toSorted())
        for (const { url } of echo.web_search_citations) expect(urls).toContain(url)
        const body = gateway.engine().requests.at(-1)?.body ?? {}
        expect([body['tools'], body['tool_choice']]).toEqual([undefined, undefined])
        expect(json.choices?.[0]?.finish_reason).toBe('stop')
        read += echo.web_search_citations.length
        if (echo.web_search_citations.length === 0) continue
        const context = sentMessages(gateway)[0]?.content ?? ''
        const border = /^Between <(web-[0-9a-f]{24})> and/.exec(context)?.[1] ?? 'none'
        expect(context.split(`</${border}>`)).toHaveLength(3)
        expect(context.endsWith(`</${border}>`)).toBe(true)
        expect(context).not.toContain(`](${trap.at('/')}`)
        expect(context).not.toMatch(/!\[/)
        if (kind === unseen) for (const order of orders) expect(context).not.toContain(order)
      }
      // What is harmless in them is read all the same, so that this proves something.
      if (kind === 'redirects to private hosts') expect(read).toBe(0)
      else expect(read).toBeGreaterThan(0)
    },
    120_000,
  )
})

describe('POST /api/v1/augment/scrape', () => {
  it('gives the main text as Markdown, for its fee', async () => {
    const url = server.put('/one', html, Buffer.from(article('<p>Last words.</p>')))
    const before = await gateway.client.credits()
    const { status, json } = await scrape(url)
    expect([status, json]).toEqual([
      200,
      { url, content: expect.stringMatching(/^## Head\n\nA sentence.*Last words\.$/s), format: 'markdown' },
    ])
    expect((await gateway.client.credits()).usedNano - before.usedNano).toBe(feeNano)
  })

  it.each([
    'https://x.com/a',
    'https://www.reddit.com/r/a',
    'https://mobile.twitter.com/a',
    'http://10.0.0.1/',
    trap.at('/'),
    'ftp://a.example/',
    'no address',
  ])('refuses %s with 400, for nothing', async url => {
    const before = await gateway.client.credits()
    expect((await scrape(url)).status).toBe(400)
    expect((await gateway.client.credits()).usedNano).toBe(before.usedNano)
    expect(trap.requests).toEqual([])
  })

  it('answers 500 where the page fails, for nothing', async () => {
    const before = await gateway.client.credits()
    // Not through the client, which takes a 500 for a fault of the gateway.
    const answer = await fetch(`${gateway.url}/api/v1/augment/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.account().key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: server.at('/missing') }),
    })
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { error: expect.stringContaining('Nothing was charged') },
    ])
    expect((await gateway.client.credits()).usedNano).toBe(before.usedNano)
  })

  it('is asked for 20 times a minute at most', async () => {
    const url = server.put('/one', html, Buffer.from(article('')))
    const statuses = []
    for (let at = 0; at < 21; at += 1) statuses.push((await scrape(at < 20 ? 'https://x.com/a' : url, 'hasty')).status)
    expect(statuses).toEqual([...Array(20).fill(400), 429])
  })
})
