import { createEmbeddedProvider } from '../adapters/search/index/embedded-provider.ts'
import { providerShapes } from '../adapters/search/shapes/index.ts'
import { createWebProvider } from '../adapters/search/web-provider.ts'
import type { Config, RemoteSearchConfig } from '../config/config.ts'
import { createSearch, type Search, type SearchSetup } from '../domain/search/search.ts'
import type { SearchObserver } from '../domain/search/search-observer.ts'
import type { SearchProvider } from '../domain/search/search-provider.ts'
import type { Ground } from './ground.ts'
import { openIndex } from './open-index.ts'

interface OpenedSearch {
  readonly search: Search
  /** Follows a new configuration; a provider that did not change keeps its connections and its breaker. */
  replace(config: Config): void
  close(): Promise<void>
}

interface SearchParts {
  readonly ground: Ground
  readonly observer: SearchObserver
}

const secondMs = 1_000

/** Web search as the configuration has it. */
export async function openSearch(config: Config, { ground, observer }: SearchParts): Promise<OpenedSearch> {
  const index = createEmbeddedProvider(await openIndex(config))
  let remote = reuseProviders(config, ground, new Map())
  const setupOf = (next: Config) => setupFrom(next, remote, index)
  const search = createSearch(setupOf(config), { ...ground, observer })
  return {
    search,
    replace(next) {
      const before = remote
      remote = reuseProviders(next, ground, before)
      search.replace(setupOf(next))
      for (const [name, provider] of before) if (!remote.has(name)) void provider.close()
    },
    async close() {
      await Promise.all([...remote.values(), index].map(provider => provider.close()))
    },
  }
}

/** Everybody who can be asked, with whether that costs the operator something. */
export async function openProviders(config: Config, ground: Ground) {
  const index = createEmbeddedProvider(await openIndex(config))
  const { providers } = config.search
  return providers.map(one => ({
    provider: one.name === 'embedded' ? index : createProvider(one, ground),
    isPaid: one.name !== 'embedded' && one.name !== 'searxng',
  }))
}

/** Providers by their whole configuration. */
type RemoteProviders = ReadonlyMap<string, SearchProvider>

function reuseProviders({ search }: Config, ground: Ground, known: RemoteProviders): RemoteProviders {
  const remote = search.providers.filter(provider => provider.name !== 'embedded')
  return new Map(remote.map(one => [keyOf(one), known.get(keyOf(one)) ?? createProvider(one, ground)]))
}

function keyOf(provider: RemoteSearchConfig): string {
  return JSON.stringify({ ...provider, apiKey: provider.apiKey?.reveal() })
}

function createProvider({ name, baseUrl, apiKey }: RemoteSearchConfig, { clock, userAgent }: Ground): SearchProvider {
  return createWebProvider({ shape: providerShapes[name], address: baseUrl, apiKey, userAgent, clock })
}

function setupFrom({ search, cache }: Config, remote: RemoteProviders, index: SearchProvider): SearchSetup {
  const providerOf = (one: Config['search']['providers'][number]) =>
    one.name === 'embedded' ? [index] : [remote.get(keyOf(one))].filter(provider => provider !== undefined)
  return {
    order: search.order.flatMap(providerOf),
    providers: search.providers.flatMap(providerOf),
    times: { providerMs: search.providerTimeoutMs, totalMs: search.timeoutMs },
    reuseMs: cache.searchSeconds * secondMs,
    isShared: cache.shared,
  }
}
