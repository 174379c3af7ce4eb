import type { AccountId } from '../../core/ids.ts'
import { createSharedWork } from '../../lib/shared-work.ts'
import { type AskProvidersDependencies, createAskProviders, type SearchTimes } from './ask-providers.ts'
import { createResultCache } from './result-cache.ts'
import type { SearchProvider } from './search-provider.ts'
import { queryCharactersMax, type SearchOutcome, type SearchWishes, searchResultsMax } from './types.ts'

/** Who is asked, and how long what was found is reused: what a configuration says. */
export interface SearchSetup {
  /** Asked in this order until one of them finds something. */
  readonly order: readonly SearchProvider[]
  /** Everybody who can be asked for by name. */
  readonly providers: readonly SearchProvider[]
  readonly times: SearchTimes
  /** How long results are reused, in milliseconds; 0 reuses none. */
  readonly reuseMs: number
  /** Whether accounts see what others found. */
  readonly isShared: boolean
}

interface SearchRequest extends SearchWishes {
  /** 1 to 400 characters; what is longer is cut. */
  readonly query: string
  readonly accountId: AccountId
  /** Asked before all others where it is configured; null keeps the order. */
  readonly provider: string | null
}

export interface Search {
  /** Rejects with what the signal says, and for nothing else. Equal searches that run at a time are one. */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome>
  /** Whether there is anybody who could find anything. */
  isConfigured(): Promise<boolean>
  /** Forgets what was found; searches that run go on as they began. */
  replace(setup: SearchSetup): void
}

export function createSearch(setup: SearchSetup, dependencies: AskProvidersDependencies): Search {
  const { clock, observer } = dependencies
  const askProviders = createAskProviders(dependencies)
  const running = createSharedWork<SearchOutcome>()
  const cache = createResultCache()
  let current = setup

  async function lookUp(name: string, request: SearchRequest, signal: AbortSignal): Promise<SearchOutcome> {
    const used = current
    const { query, limit, language, freshness } = request
    const question = { query, wishes: { limit, language, freshness }, times: used.times }
    const outcome = await askProviders(question, orderFor(used, request.provider), signal)
    const mayKeep = 'results' in outcome && used === current && used.reuseMs > 0
    if (mayKeep) cache.of(ownerOf(request, used)).set(name, outcome, clock.monotonic() + used.reuseMs)
    return outcome
  }

  return {
    async search(asked, signal) {
      const request = withinBounds(asked)
      const name = nameOf(request)
      const owner = ownerOf(request, current)
      const key = JSON.stringify([owner, name])
      const known = cache.of(owner).get(name, clock.monotonic())
      observer.looked(known !== undefined ? 'cache' : running.isRunning(key) ? 'running' : 'providers')
      return known ?? running.run(key, signal, workSignal => lookUp(name, request, workSignal))
    },
    async isConfigured() {
      for (const provider of current.order) if (await provider.isReady()) return true
      return false
    },
    replace(next) {
      current = next
      cache.clear()
    },
  }
}

function orderFor({ order, providers }: SearchSetup, name: string | null): readonly SearchProvider[] {
  const named = providers.find(provider => provider.name === name)
  return named === undefined ? order : [named, ...order.filter(provider => provider !== named)]
}

function withinBounds(request: SearchRequest): SearchRequest {
  const query = request.query.normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, queryCharactersMax)
  return { ...request, query, limit: Math.min(Math.max(request.limit, 1), searchResultsMax) }
}

function ownerOf({ accountId }: SearchRequest, { isShared }: SearchSetup): string | null {
  return isShared ? null : accountId
}

function nameOf({ query, limit, language, freshness, provider }: SearchRequest): string {
  return JSON.stringify([provider, limit, language, freshness, query])
}
