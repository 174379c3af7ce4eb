import { afterEach, describe, expect, it } from 'vitest'
import { FetchRefused } from '../../src/core/guarded-fetch.ts'
import { publicAddress, type RecordedNetwork, recordNetwork } from '../support/outbound/recorded-network.ts'

const limits = { owner: 'acct_a', bytesMax: 100_000, totalMs: 5_000, redirectsMax: 3, accept: '*/*' }
const signal = new AbortController().signal
const engine = 'gpu.rialto-gateway.com'

let network: RecordedNetwork
afterEach(() => network.close())

const fetchIt = (address: string) => network.fetch({ ...limits, address }, signal)

describe('a foreign name that leads to a machine of the operator’s', () => {
  it.each([
    ['an engine', [publicAddress]],
    ['one of an engine’s addresses', ['93.184.215.40', publicAddress]],
    ['an engine’s address in another spelling', ['2606:2800:0220:0001::1']],
  ])('as %s is refused, and nothing is dialled', async (_, addresses) => {
    network = await recordNetwork({ machines: { [engine]: addresses } })
    network.answer = () => ['93.184.215.14', '2606:2800:220:1::1'].slice(0, 2)
    await expect(fetchIt('http://pictures.rebind-tests.com/a')).rejects.toThrow(FetchRefused)
    expect(network.dialled).toEqual([])
  })

  it('behind a redirect is refused there', async () => {
    network = await recordNetwork({ machines: { [engine]: ['93.184.215.40'] } })
    network.answer = host => [host === 'pictures.rebind-tests.com' ? publicAddress : '93.184.215.40']
    network.serve = (_request, response) =>
      void response.writeHead(307, { location: 'http://other.rebind-tests.com/' }).end()
    await expect(fetchIt('http://pictures.rebind-tests.com/a')).rejects.toThrow(FetchRefused)
    expect(network.dialled).toEqual([publicAddress])
  })

  it('is fetched where the operator allows it', async () => {
    network = await recordNetwork({
      allowHosts: ['pictures.rebind-tests.com:80'],
      machines: { [engine]: [publicAddress] },
    })
    expect((await fetchIt('http://pictures.rebind-tests.com/a')).bytes.toString()).toBe('hello')
  })
})

it('other names are fetched, also where a machine’s own name leads nowhere', async () => {
  network = await recordNetwork({ machines: { [engine]: [], 'other.rialto-gateway.com': ['93.184.215.40'] } })
  expect((await fetchIt('http://pictures.rebind-tests.com/a')).bytes.toString()).toBe('hello')
})
