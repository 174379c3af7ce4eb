import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { CallerRegion } from '../domain/catalog/check-region.ts'

export interface CallersOptions {
  /** Addresses and ranges whose word is believed. */
  readonly trustProxy: readonly string[]
  /** The header in which they say where a caller is; empty when nobody does. */
  readonly regionHeader: string
}

/** Who calls, as far as the network knows. */
export interface Callers {
  /** The address that a caller has towards the first proxy that is not ours; text that is the same for the same caller. */
  addressOf(request: IncomingMessage): string
  regionOf(request: IncomingMessage): CallerRegion
}

/** What proxies add is read from its end, and no further than they are ours: the rest may be made up. */
const hopsMax = 20

export function createCallers({ trustProxy, regionHeader }: CallersOptions): Callers {
  const trusted = createBlockList(trustProxy)
  const header = regionHeader.toLowerCase()
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return {
    addressOf({ socket, headers }) {
      let address = plainAddress(socket.remoteAddress ?? '')
      const hops = String(headers['x-forwarded-for'] ?? '')
        .split(',')
        .slice(-hopsMax)
        .map(hop => plainAddress(hop.trim()))
      while (isIP(address) !== 0 && isTrusted(address)) {
        const next = hops.pop()
        if (next === undefined || isIP(next) === 0) break
        address = next
      }
      return address
    },
    regionOf({ socket, headers }) {
      if (header === '') return null
      const said = headers[header]
      const peer = plainAddress(socket.remoteAddress ?? '')
      const isBelieved = isIP(peer) !== 0 && isTrusted(peer)
      return isBelieved && typeof said === 'string' && /^[A-Za-z0-9]{2}$/.test(said) ? said.toUpperCase() : 'unknown'
    },
  }
}

function createBlockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** IPv4 that came over a socket for both is written as such. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
