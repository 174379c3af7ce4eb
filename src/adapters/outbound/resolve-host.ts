import { lookup, Resolver } from 'node:dns/promises'
import type { Destination } from './judge-address.ts'

/** The addresses of a name, in the order in which they are to be tried. @throws when there are none, or nobody answers */
export type ResolveHost = (destination: Destination, signal: AbortSignal) => Promise<readonly string[]>

/** Where a name of the operator's leads, by this machine's own way of looking names up. @throws when nobody knows */
export type ResolveOwn = (host: string) => Promise<readonly string[]>

export const resolveOwn: ResolveOwn = async host =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

const answerMs = 3_000
const tries = 2

/**
 * Names from callers are asked of the name servers over sockets, so that a slow one of theirs keeps nothing else waiting.
 * Names that the operator lists may also stand in the machine's own table of hosts.
 */
export const resolveHost: ResolveHost = async ({ host, allowed }, signal) => {
  if (allowed) return resolveOwn(host)
  const resolver = new Resolver({ timeout: answerMs, tries })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const families = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return families.flatMap(family => (family.status === 'fulfilled' ? family.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
