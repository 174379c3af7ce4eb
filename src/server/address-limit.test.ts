import { describe, expect, it } from 'vitest'
import { createAddressLimit } from './address-limit.ts'

function limitAt(perMinute: number) {
  const time = { ms: 1_000_000 }
  const clock = { now: () => time.ms, monotonic: () => time.ms }
  const limit = createAddressLimit(perMinute, clock)
  const passes = (address: string) => {
    try {
      limit.take(address)
      return true
    } catch {
      return false
    }
  }
  const wait = (ms: number) => {
    time.ms += ms
  }
  return { limit, passes, wait }
}

describe('an address', () => {
  it('asks so often in a minute, then waits as long as it is told', () => {
    const { limit, passes, wait } = limitAt(6)
    expect(Array.from({ length: 7 }, () => passes('192.0.2.1'))).toEqual([
      ...Array.from({ length: 6 }, () => true),
      false,
    ])
    expect(() => limit.take('192.0.2.1')).toThrow(
      'At most 6 requests a minute are taken from one address: try again in 10 seconds.',
    )
    expect(passes('192.0.2.2')).toBe(true)
    wait(10_000)
    expect([passes('192.0.2.1'), passes('192.0.2.1')]).toEqual([true, false])
    wait(60_000)
    expect(passes('192.0.2.1')).toBe(true)
  })

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', false],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::', false],
    ['2001:db8::1', '2001:db8:0:0:9::', false],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', true],
    ['::1', '::2', false],
  ])('%s and %s of IPv6 count apart when their networks differ', (one, other, apart) => {
    const { passes } = limitAt(1)
    expect([passes(one), passes(other)]).toEqual([true, apart])
  })

  it('is forgotten when very many others ask, which bounds what is remembered', () => {
    const { passes } = limitAt(1)
    expect(passes('first')).toBe(true)
    for (let other = 0; other < 10_000; other++) passes(`other-${other}`)
    expect(passes('first')).toBe(true)
  })
})
