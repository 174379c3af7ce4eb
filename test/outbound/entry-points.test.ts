import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sniffType } from '../../src/adapters/media/sniff-type.ts'
import { isPublicAddress } from '../../src/adapters/outbound/public-address.ts'
import { documentFailure } from '../../src/core/document-reader.ts'
import { findMedia } from '../../src/core/find-media.ts'
import { RawTexts } from '../../src/lib/raw-texts.ts'
import { createByteBudget } from '../../src/pipeline/media/byte-budget.ts'
import { prepareMedia } from '../../src/pipeline/media/prepare-media.ts'
import { hostileAddresses, ownHosts } from '../support/outbound/hostile-addresses.ts'
import { publicAddress, type RecordedNetwork, recordNetwork } from '../support/outbound/recorded-network.ts'

/** Where addresses come in that nobody vouches for, and what becomes of each. */
const entryPoints: Readonly<Record<string, (network: RecordedNetwork, url: string) => Promise<string>>> = {
  image_url: (network, url) => prepared(network, { type: 'image_url', image_url: { url } }),
  video_url: (network, url) => prepared(network, { type: 'video_url', video_url: { url } }),
  file_data: (network, url) => prepared(network, { type: 'file', file: { file_data: url, filename: 'a' } }),
  page: (network, url) => fetched(network, url, 3),
  'search result': (network, url) => fetched(network, url, 2),
}

const never = new AbortController().signal
const publicPage = 'http://pictures.rebind-tests.com/a'

/** The part that an engine would get, or the text that the caller gets. */
async function prepared({ fetch }: RecordedNetwork, part: Record<string, never> | object): Promise<string> {
  const places = findMedia([{ role: 'user', content: [part as never] }])
  const budget = createByteBudget(1_000_000_000)
  const work = {
    tools: {
      fetch,
      budget,
      sniff: sniffType,
      images: { decode: async () => ({ kind: 'failure', reason: 'unreadable' }) as const },
      meter: { secondsOf: async () => null },
      documents: { read: async () => documentFailure('unreadable') },
    },
    share: budget.open('acct_test'),
    accountId: 'acct_test' as never,
    texts: new RawTexts('test'),
    signal: never,
    canSee: true,
    takesGif: false,
    readsHeic: false,
    sizes: new Map(),
  }
  try {
    return JSON.stringify([...(await prepareMedia(places, work)).values()])
  } catch (error) {
    return String(error)
  }
}

async function fetched({ fetch }: RecordedNetwork, address: string, redirectsMax: number): Promise<string> {
  try {
    const limits = { owner: 'acct_a', bytesMax: 10_000, totalMs: 5_000, accept: '*/*' }
    return `fetched ${(await fetch({ address, redirectsMax, ...limits }, never)).bytes}`
  } catch (error) {
    return String(error)
  }
}

let network: RecordedNetwork
beforeAll(async () => {
  network = await recordNetwork({ ownHosts })
})
afterAll(() => network.close())

/** Everything that was dialled and is not the loopback server that stands for the public host. */
function strayDials(): string[] {
  const stray = network.dialled.filter(address => address !== publicAddress)
  network.dialled.length = 0
  return stray
}

describe.each(Object.entries(entryPoints))('a hostile address in %s', (_, enter) => {
  it('is refused directly, with one text for all of them', async () => {
    const texts = new Set<string>()
    for (const { url, leadsTo } of hostileAddresses.filter(({ url }) => !url.startsWith('data:'))) {
      network.answer = () => [leadsTo]
      texts.add(await enter(network, url))
      expect([url, network.dialled]).toEqual([url, []])
    }
    expect([...texts]).toHaveLength(1)
  })

  it('is refused behind a redirect', async () => {
    for (const { url, leadsTo } of hostileAddresses) {
      network.answer = host => [host === 'pictures.rebind-tests.com' ? publicAddress : leadsTo]
      network.serve = (request, response) => {
        const location = /^[\x20-\x7e]*$/.test(url) ? url : encodeURI(url)
        if (request.url === '/a') response.writeHead(302, { location }).end()
        else response.end('leaked')
      }
      await enter(network, publicPage)
      expect([url, strayDials()]).toEqual([url, []])
    }
  })

  it('is refused when a public name turns to it', async () => {
    network.serve = (_request, response) => void response.end('public')
    const private_ = hostileAddresses.filter(({ leadsTo }) => !isPublicAddress(leadsTo) || ownHosts.includes(leadsTo))
    for (const { leadsTo } of private_) {
      network.answer = (_host, nth) => [nth % 2 === 0 ? publicAddress : leadsTo]
      for (let turn = 0; turn < 3; turn++) await enter(network, publicPage)
      expect([leadsTo, strayDials()]).toEqual([leadsTo, []])
    }
    expect(private_.length).toBeGreaterThanOrEqual(60)
  })
})

it('the corpus can fail: a host that is allowed is dialled', async () => {
  const open = await recordNetwork({ allowHosts: ['10.0.0.1:80'] })
  await entryPoints['image_url']?.(open, 'http://10.0.0.1/')
  expect(open.dialled).toEqual(['10.0.0.1'])
  await open.close()
})
