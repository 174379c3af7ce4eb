import { afterAll, describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { FileServer } from '../support/media/file-server.ts'
import { waitFor } from '../support/wait-for.ts'

const callers = 8
const html = `<html><head><title>Page</title></head><body><article><p>${'A sentence of some length. '.repeat(20)}</p></article></body></html>`
const server = await FileServer.start()
afterAll(() => server.close())

/** A page that answers once it is let go. */
function heldPage(path: string) {
  let release = (): void => undefined
  const isReleased = new Promise<void>(resolve => (release = resolve))
  let left = 0
  const url = server.answer(path, async (_, response) => {
    response.once('close', () => (left += response.writableFinished ? 0 : 1))
    await isReleased
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
  })
  const fetches = () => server.requests.filter(request => request === path).length
  return { url, fetches, left: () => left, release: () => release() }
}

describe.each([
  ['of each account', 'own', false, 2],
  ['of all accounts where the operator shares them', 'shared', true, 1],
])('a stampede for one page', (whose, path, shared, fetches) => {
  const gateway = useGateway({
    settings: {
      search: { provider: 'embedded', fallback: [] },
      fetch: { allowHosts: [server.hostAndPort] },
      cache: { pageSeconds: 0, shared },
    },
    accounts: { other: {} },
  })
  const keys = () => [gateway.account().key, gateway.account('other').key]
  const holdsOpen = async () => (await (await gateway.store()).verify()).holdsOpen

  function scrape(url: string, key: string | null, signal?: AbortSignal) {
    const body = JSON.stringify({ url })
    return gateway.client.send('/api/v1/augment/scrape', { method: 'POST', body, key, ...(signal ? { signal } : {}) })
  }

  it(`is one fetch ${whose}, and each caller pays the fee`, async () => {
    const page = heldPage(`/${path}`)
    const before = await gateway.client.credits()
    const asking = Array.from({ length: callers }, (_, at) => scrape(page.url, keys()[at % 2] ?? null))
    await waitFor('all to be admitted', async () => (await holdsOpen()) === callers)
    await waitFor('the site to be asked', () => page.fetches() === fetches)
    page.release()
    const statuses = (await Promise.all(asking)).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: callers }, () => 200))
    expect(page.fetches()).toBe(fetches)
    const after = await gateway.client.credits()
    expect(after.usedNano - before.usedNano).toBe(BigInt(callers / 2) * 10_000_000n)
  })

  it('goes on for those who stay, and ends when the last one leaves', async () => {
    const page = heldPage(`/${path}-left`)
    const [first, second] = [new AbortController(), new AbortController()]
    const asking = [first, second].map(({ signal }) => scrape(page.url, keys()[0] ?? null, signal).catch(() => null))
    await waitFor('both to be admitted', async () => (await holdsOpen()) === 2)
    await waitFor('the site to be asked', () => page.fetches() === 1)
    first.abort()
    await waitFor('one to be gone', async () => (await holdsOpen()) === 1)
    expect(page.left()).toBe(0)
    second.abort()
    await waitFor('the site to be left', () => page.left() === 1)
    expect([await Promise.all(asking), page.fetches()]).toEqual([[null, null], 1])
    page.release()
  })
})
