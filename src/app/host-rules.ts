import { canonicalHost, type HostRules, hostKey } from '../adapters/outbound/judge-address.ts'
import type { Config } from '../config/config.ts'

/** Made once per configuration: lists of a thousand hosts are not walked for every address. */
const known = new WeakMap<Config, HostRules>()

/** What callers' addresses may not name, and what they may although it is private (operator.md §3 `fetch`). */
export function hostRulesOf(config: Config): HostRules {
  const made = known.get(config) ?? makeRules(config)
  known.set(config, made)
  return made
}

function makeRules({ fetch, server, engines, search }: Config): HostRules {
  const engineAddresses = engines.flatMap(engine => (engine.kind === 'embedded' ? [] : [engine.baseUrl]))
  // Claude's and Gemini's servers are everybody's, and share addresses with pages that callers may well mean.
  const engineMachines = engines.flatMap(engine => (engine.kind === 'openai' ? [engine.baseUrl] : []))
  const searchAddresses = search.providers.flatMap(provider =>
    provider.name === 'embedded' || provider.baseUrl === null ? [] : [provider.baseUrl],
  )
  const own = [hostnameOf(server.publicUrl), server.host, ...server.signInDomains.map(withoutPort)]
  return {
    allowHosts: new Set(fetch.allowHosts.map(allowedKey)),
    ownHosts: new Set([...own, ...[...engineAddresses, ...searchAddresses].map(hostnameOf)].map(canonicalHost)),
    machines: new Set([...own, ...engineMachines.map(hostnameOf)].map(canonicalHost)),
  }
}

function hostnameOf(address: string): string {
  return new URL(address).hostname
}

function withoutPort(domain: string): string {
  return domain.replace(/:\d+$/, '')
}

/** The schema has checked `host:port`, with brackets around an IPv6 address. */
function allowedKey(entry: string): string {
  const colon = entry.lastIndexOf(':')
  return hostKey(entry.slice(0, colon), Number(entry.slice(colon + 1)))
}
