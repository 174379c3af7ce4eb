import { isIP } from 'node:net'
import { FetchRefused } from '../../core/guarded-fetch.ts'
import { canonicalAddress, isPublicAddress } from './public-address.ts'

/** An address that may be dialled once its name has been looked up. */
export interface Destination {
  readonly url: URL
  /** A name, or a literal address without brackets. */
  readonly host: string
  readonly port: number
  /** The operator listed it, so that it may be anywhere. */
  readonly allowed: boolean
}

/** Read anew for each hop, because an operator may change them while the gateway runs. */
export interface HostRules {
  /** `host:port` as `hostKey` gives them; the only exception to everything but the form of an address. */
  readonly allowHosts: ReadonlySet<string>
  /** The gateway's and its engines' names and literal addresses, as `canonicalHost` gives them. */
  readonly ownHosts: ReadonlySet<string>
  /** Those of them that are machines of the operator's, so that no other name may lead to one either. */
  readonly machines: ReadonlySet<string>
}

const addressCharactersMax = 8_192
const standardPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * Names that mean something inside a network only: those without a dot, and those under the endings that registries and
 * cloud providers keep for it.
 */
const insideNames =
  /^[^.]*$|\.(?:localhost|local|localdomain|internal|intranet|private|lan|home|corp|arpa|onion|test|example|invalid|svc|docker)$/

/**
 * Judges an address by its form: `http` or `https` at its standard port, without credentials, and no name or literal
 * address that is known not to be public. The URL parser turns every spelling of an IPv4 address into the dotted one.
 * @throws FetchRefused
 */
export function judgeAddress(address: string, base: URL | null, rules: HostRules): Destination {
  const url = parseAddress(address, base)
  const host = canonicalHost(url.hostname)
  const standard = standardPorts[url.protocol]
  if (standard === undefined || host === '' || url.username !== '' || url.password !== '')
    throw new FetchRefused('address')
  const port = url.port === '' ? standard : Number(url.port)
  if (rules.allowHosts.has(hostKey(host, port))) return { url, host, port, allowed: true }
  if (port !== standard || rules.ownHosts.has(host)) throw new FetchRefused('address')
  const isPublic = isIP(host) === 0 ? !insideNames.test(host) : isPublicAddress(host)
  if (!isPublic) throw new FetchRefused('address')
  return { url, host, port, allowed: false }
}

function parseAddress(address: string, base: URL | null): URL {
  if (address.length > addressCharactersMax) throw new FetchRefused('address')
  try {
    return base === null ? new URL(address) : new URL(address, base)
  } catch (cause) {
    throw new FetchRefused('address', { cause })
  }
}

/** Small letters, no brackets, no trailing dots, and one spelling per literal address. */
export function canonicalHost(hostname: string): string {
  return canonicalAddress(
    hostname
      .toLowerCase()
      .replace(/^\[|\]$/g, '')
      .replace(/\.+$/, ''),
  )
}

export function hostKey(host: string, port: number): string {
  return `${canonicalHost(host)}:${port}`
}
