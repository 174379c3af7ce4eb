import type { AddressInfo } from 'node:net'

/** An address that works on this machine, also when the gateway listens on all of them. */
export function reachableUrl({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address
  return `http://${family === 'IPv6' && host.includes(':') ? `[${host}]` : host}:${port}`
}
