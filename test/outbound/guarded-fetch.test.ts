import { createHash } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/adapters/outbound/public-address.ts'
import { FetchRefused, type FetchRequest } from '../../src/core/guarded-fetch.ts'
import { hostileAddresses, ownHosts } from '../support/outbound/hostile-addresses.ts'
import { publicAddress, type RecordedNetwork, recordNetwork } from '../support/outbound/recorded-network.ts'

const page = 'http://pictures.rebind-tests.com/cat.png'
const limits = { owner: 'acct_a', bytesMax: 100_000, totalMs: 5_000, redirectsMax: 0, accept: '*/*' }
const never = new AbortController().signal
const theText = 'The address cannot be fetched.'

let network: RecordedNetwork
beforeEach(async () => {
  network = await recordNetwork({ ownHosts, allowHosts: ['10.0.0.5:9000', 'files.inside.lan:8080'] })
})
afterEach(() => network.close())

function fetchIt(address: string, more: Partial<FetchRequest> = {}, signal: AbortSignal = never) {
  return network.fetch({ ...limits, address, ...more }, signal)
}

async function refusalOf(address: string, more: Partial<FetchRequest> = {}): Promise<FetchRefused> {
  const error: unknown = await fetchIt(address, more).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof FetchRefused)) throw new Error(`${address} was not refused: ${String(error)}`)
  expect(error.message).toBe(theText)
  return error
}

describe('an address that is not public', () => {
  it('has at least sixty hosts in this corpus', () => {
    expect(new Set(hostileAddresses.map(({ url }) => url)).size).toBeGreaterThanOrEqual(60)
  })

  it.each(hostileAddresses)('is refused directly: $url', async ({ url, leadsTo }) => {
    network.answer = () => [leadsTo]
    await refusalOf(url, { redirectsMax: 3 })
    expect(network.dialled).toEqual([])
  })

  it.each(hostileAddresses)('is refused behind a redirect: $url', async ({ url, leadsTo }) => {
    network.answer = host => [host === 'pictures.rebind-tests.com' ? publicAddress : leadsTo]
    let requests = 0
    network.serve = (_request, response) => {
      requests++
      const location = /^[\x20-\x7e]*$/.test(url) ? url : encodeURI(url)
      response.writeHead(requests === 1 ? 307 : 200, requests === 1 ? { location } : {}).end('leaked')
    }
    // An empty Location and some odd spellings lead back to the public page itself, which is no leak.
    await fetchIt(page, { redirectsMax: 3 }).catch(() => null)
    expect(network.dialled.filter(address => address !== publicAddress)).toEqual([])
  })

  it.each(hostileAddresses)('is refused when a name turns to it, as $url: $leadsTo', async ({ leadsTo }) => {
    network.answer = (_host, nth) => [nth % 2 === 0 ? publicAddress : leadsTo]
    for (let turn = 0; turn < 4; turn++) await fetchIt(page).catch(() => null)
    expect(network.dialled.filter(address => address !== publicAddress)).toEqual(
      isPublicAddress(leadsTo) && !ownHosts.includes(leadsTo) ? [leadsTo, leadsTo] : [],
    )
  })

  it.each(hostileAddresses.filter(({ leadsTo }) => !isPublicAddress(leadsTo)))(
    'spoils the public answers beside it: $leadsTo',
    async ({ leadsTo }) => {
      network.answer = () => [publicAddress, leadsTo]
      expect((await refusalOf(page)).reason).toBe('address')
      expect(network.dialled).toEqual([])
    },
  )

  it('has one text for every reason', async () => {
    network.serve = (_request, response) => void response.writeHead(404).end()
    const reasons = [await refusalOf('http://127.0.0.1/'), await refusalOf(page), await refusalOf('ftp://a.com/')]
    network.answer = () => []
    reasons.push(await refusalOf(page))
    network.answer = () => ['93.184.215.15']
    reasons.push(await refusalOf(page))
    expect(reasons.map(({ reason }) => reason)).toEqual(['address', 'status', 'address', 'unreachable', 'unreachable'])
  })
})

describe('what the operator allows', () => {
  it.each(['http://10.0.0.5:9000/a', 'http://files.inside.lan:8080/a', 'http://FILES.inside.lan.:8080/a'])(
    'is dialled wherever it is: %s',
    async url => {
      network.answer = () => ['10.9.9.9']
      await refusalOf(url)
      expect(network.dialled).toEqual([url.includes('10.0.0.5') ? '10.0.0.5' : '10.9.9.9'])
    },
  )

  it.each(['http://10.0.0.5/', 'http://10.0.0.5:9001/', 'http://10.0.0.6:9000/', 'http://x.files.inside.lan:8080/'])(
    'is that host at that port, not %s',
    async url => {
      network.answer = () => ['10.9.9.9']
      await refusalOf(url)
      expect(network.dialled).toEqual([])
    },
  )
})

describe('a public page', () => {
  it('is fetched with its type, by a GET that tells nothing about the caller', async () => {
    const seen: unknown[] = []
    network.serve = (request, response) => {
      seen.push([request.method, request.url, request.headers])
      response.writeHead(200, { 'content-type': 'Text/HTML; Charset="UTF-8"', 'set-cookie': 'a=b' }).end('hello')
    }
    const fetched = await fetchIt(`${page}?a=b#c`)
    expect(fetched).toEqual({
      bytes: Buffer.from('hello'),
      contentType: 'text/html',
      charset: 'utf-8',
      address: `${page}?a=b#c`,
    })
    await fetchIt(page)
    expect(seen[0]).toEqual([
      'GET',
      '/cat.png?a=b',
      {
        host: 'pictures.rebind-tests.com',
        connection: 'close',
        accept: '*/*',
        'accept-encoding': 'identity',
        'user-agent': 'rialto',
      },
    ])
    expect(seen[1]).toEqual(['GET', '/cat.png', expect.not.objectContaining({ cookie: expect.anything() })])
  })

  it('is not followed to another by default, and up to the asked number of hops otherwise', async () => {
    network.serve = ({ url = '' }, response) => {
      const left = Number(url.slice(1))
      if (left === 0) response.end('arrived')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    }
    const base = 'http://pictures.rebind-tests.com'
    expect((await refusalOf(`${base}/1`)).reason).toBe('redirect')
    expect((await fetchIt(`${base}/3`, { redirectsMax: 3 })).address).toBe(`${base}/0`)
    expect((await refusalOf(`${base}/4`, { redirectsMax: 3 })).reason).toBe('redirect')
    expect((await refusalOf(`${base}/1000`, { redirectsMax: 1_000 })).reason).toBe('redirect')
  })

  it.each([304, 400, 401, 403, 404, 500, 503])('with the status %i is refused', async status => {
    network.serve = (_request, response) => void response.writeHead(status).end()
    await refusalOf(page)
  })
})

describe('the body', () => {
  const bytes = createHash('sha512').update('seed').digest()
  const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, identity: (body: Buffer) => body }

  it.each(Object.entries(encodings))('comes without its encoding %s', async (encoding, encode) => {
    network.serve = (_request, response) =>
      void response.writeHead(200, { 'content-encoding': encoding }).end(encode(bytes))
    expect((await fetchIt(page)).bytes).toEqual(bytes)
  })

  it.each(Object.entries(encodings))('is counted after its encoding %s was taken off', async (encoding, encode) => {
    const bomb = encode(Buffer.alloc(limits.bytesMax + 1))
    network.serve = (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
    expect((await refusalOf(page)).reason).toBe('too_large')
    network.serve = (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
    expect((await fetchIt(page, { bytesMax: limits.bytesMax + 1 })).bytes).toHaveLength(limits.bytesMax + 1)
  })

  it.each(['gzip, gzip', 'zstd', 'compress', 'constructor'])('with the encoding %s is refused', async encoding => {
    network.serve = (_request, response) => void response.writeHead(200, { 'content-encoding': encoding }).end('x')
    expect((await refusalOf(page)).reason).toBe('encoding')
  })

  it('that is not what its encoding says, or breaks off, is refused', async () => {
    network.serve = (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')
    expect((await refusalOf(page)).reason).toBe('unreachable')
    network.serve = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes).subarray(0, 40))
    }
    expect((await refusalOf(page)).reason).toBe('unreachable')
    network.serve = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy())
    }
    expect((await refusalOf(page)).reason).toBe('unreachable')
  })

  it('that has no end is cut at the bound', async () => {
    network.serve = (_request, response) => {
      const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 1)
      response.once('close', () => clearInterval(timer))
    }
    expect((await refusalOf(page)).reason).toBe('too_large')
  })

  it.each(Object.entries(encodings))(
    'is offered in pieces before it is kept, without its encoding %s',
    async (encoding, encode) => {
      const whole = Buffer.alloc(limits.bytesMax)
      network.serve = (_request, response) =>
        void response.writeHead(200, { 'content-encoding': encoding }).end(encode(whole))
      const offered: number[] = []
      const sum = () => offered.reduce((total, piece) => total + piece, 0)
      await fetchIt(page, { mayKeep: piece => offered.push(piece) > 0 })
      expect(sum()).toBe(whole.length)
      offered.length = 0
      const refused = await refusalOf(page, { mayKeep: piece => offered.push(piece) > 0 && sum() < whole.length / 2 })
      expect(refused.reason).toBe('busy')
      expect(sum()).toBeLessThan(whole.length)
    },
  )

  it('takes no room before it comes', async () => {
    network.serve = (_request, response) => void response.writeHead(200, { 'content-length': '90000' }).flushHeaders()
    const mayKeep = () => expect.unreachable('nothing came')
    expect((await refusalOf(page, { totalMs: 200, mayKeep })).reason).toBe('timeout')
  })

  it('that does not come ends with the deadline', async () => {
    network.serve = (_request, response) => void response.write('half')
    expect((await refusalOf(page, { totalMs: 200 })).reason).toBe('timeout')
  })

  it('ends with the caller', async () => {
    network.serve = (_request, response) => void response.write('half')
    const caller = new AbortController()
    const answer = fetchIt(page, {}, caller.signal)
    caller.abort(new Error('gone'))
    await expect(answer).rejects.toThrow('gone')
  })
})

it('whoever fetches from hosts that say nothing leaves a quarter of all fetches to others', async () => {
  const silent = 'http://pictures.rebind-tests.com/silent'
  network.serve = ({ url }, response) => void (url === '/silent' || response.end('hello'))
  const caller = new AbortController()
  const waiting = Array.from({ length: 96 }, () => fetchIt(silent, { totalMs: 60_000 }, caller.signal))
  const ended = Promise.allSettled(waiting)
  expect((await refusalOf(page)).reason).toBe('busy')
  expect((await fetchIt(page, { owner: 'acct_b' })).bytes.toString()).toBe('hello')
  caller.abort(new Error('gone'))
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']))
  expect((await fetchIt(page)).bytes.toString()).toBe('hello')
})

it('headers beyond their bound are refused', async () => {
  network.serve = (_request, response) => void response.writeHead(200, { 'x-long': 'a'.repeat(20_000) }).end()
  await refusalOf(page)
})
