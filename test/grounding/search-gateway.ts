import { afterAll, beforeEach } from 'vitest'
import type { GatewayOptions } from '../support/gateway/index.ts'
import { type Gateway, useGateway } from '../support/gateway/index.ts'
import { type MockSearch, startMockSearch } from '../support/mock-search/mock-search.ts'

interface SearchGateway {
  readonly gateway: Gateway
  /** The service that the gateway asks; finds everything unless it is told otherwise. */
  readonly web: () => MockSearch
}

/** A gateway that asks a search service on loopback, and no other, unless the settings say so. */
export function useSearchGateway(options: GatewayOptions = {}): SearchGateway {
  let web: MockSearch | undefined
  const gateway = useGateway(async () => {
    web = await startMockSearch('searxng')
    const own = { provider: 'searxng' as const, fallback: [], baseUrl: web.address, priceUsd: 0.01 }
    const { search, ...settings } = options.settings ?? {}
    return { ...options, settings: { cache: { searchSeconds: 0 }, ...settings, search: { ...own, ...search } } }
  })
  beforeEach(() => web?.behave({ kind: 'results', count: 100 }))
  afterAll(() => web?.close())
  return {
    gateway,
    web: () => {
      if (web === undefined) throw new Error('the service runs only within tests')
      return web
    },
  }
}

export type Message = { readonly role: string; readonly content: string }

/** The messages that the last request to the engine had. */
export function sentMessages(gateway: Gateway): readonly Message[] {
  const body = gateway.engine('main').requests.at(-1)?.body
  return (body?.['messages'] ?? []) as readonly Message[]
}
