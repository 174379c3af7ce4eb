import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createCallers } from './callers.ts'

function requestFrom(remoteAddress: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}

describe('the address of a caller', () => {
  const { addressOf } = createCallers({ trustProxy: ['10.0.0.0/8', '2001:db8::/32'], regionHeader: '' })
  it.each([
    ['a caller without a proxy', '192.0.2.1', undefined, '192.0.2.1'],
    ['what somebody says who is no proxy of ours', '192.0.2.1', '198.51.100.1', '192.0.2.1'],
    ['what our proxy says', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['the last address that is not ours', '10.0.0.1', '203.0.113.9, 198.51.100.1, 10.0.0.7', '198.51.100.1'],
    ['our proxy where it says nothing', '10.0.0.1', undefined, '10.0.0.1'],
    ['our proxy where it says no address', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['IPv4 on a socket for both', '::ffff:10.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['IPv6', '2001:db8::1', '2001:abc::1', '2001:abc::1'],
    ['no more than so many hops', '10.0.0.1', Array.from({ length: 500 }, () => '10.0.0.2').join(','), '10.0.0.2'],
    ['nothing for a socket that is gone', '', '198.51.100.1', ''],
  ])('is %s', (_, remote, forwarded, address) => {
    expect(addressOf(requestFrom(remote, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }))).toBe(
      address,
    )
  })
})

describe('the region of a caller', () => {
  const { regionOf } = createCallers({ trustProxy: ['10.0.0.1'], regionHeader: 'CF-IPCountry' })
  it.each([
    ['10.0.0.1', 'de', 'DE'],
    ['10.0.0.1', 'T1', 'T1'],
    ['10.0.0.1', 'Germany', 'unknown'],
    ['10.0.0.1', undefined, 'unknown'],
    ['10.0.0.2', 'DE', 'unknown'],
  ])('from %s with %s is %s', (remote, said, region) => {
    expect(regionOf(requestFrom(remote, said === undefined ? {} : { 'cf-ipcountry': said }))).toBe(region)
  })

  it('is not asked for where nobody says it', () => {
    const nobody = createCallers({ trustProxy: ['10.0.0.1'], regionHeader: '' })
    expect(nobody.regionOf(requestFrom('10.0.0.1', { 'cf-ipcountry': 'DE' }))).toBeNull()
  })
})
