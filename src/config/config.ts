import type { Model, RateTier } from '../core/model.ts'
import type { Amount } from '../core/money.ts'
import type { PriceList } from '../core/price.ts'
import type { JsonObject } from '../lib/json.ts'
import type { Secret } from '../lib/secret.ts'
import type { Settings } from './schema.ts'

/** A bound that is written out: a number, where 0 means zero, or the word. */
type Limit = number | 'unlimited'

/** What a file says, checked, completed and in the gateway's own terms: amounts in nano-USD, paths absolute. */
export interface Config {
  readonly server: {
    readonly host: string
    readonly port: number
    readonly publicUrl: string
    readonly trustProxy: readonly string[]
    readonly regionHeader: string
    readonly signInDomains: readonly string[]
  }
  readonly store: StoreConfig
  readonly keys: { readonly prefix: string }
  readonly startingCreditNano: Amount
  readonly ownedBy: string
  readonly accounts: {
    readonly selfService: boolean
    /** In the smallest units of the token. Null asks for no stake. */
    readonly staking: { readonly rpcUrl: string; readonly contract: string; readonly minimumUnits: bigint } | null
  }
  /** Empty when nothing was configured: then engines are looked for (operator.md §1). */
  readonly engines: readonly EngineConfig[]
  readonly models: readonly Model[]
  readonly limits: LimitsConfig
  readonly billing: { readonly billPartial: 'none' | 'delivered' }
  readonly retention: { readonly usageDays: Limit; readonly idempotencyHours: Limit }
  /** Where /metrics is served without a token; null for the main port with one. */
  readonly metrics: { readonly listen: { readonly host: string; readonly port: number } | null }
  /** Null: the token that was made at first start. */
  readonly admin: { readonly token: Secret | null }
  readonly pricing: { readonly default: DefaultPrices }
  readonly prompts: Settings['prompts']
  readonly characters: { readonly dir: string }
  readonly search: SearchConfig
  readonly scrape: { readonly pageNano: Amount; readonly maxPages: number; readonly robots: 'obey' | 'ignore' }
  readonly fetch: Settings['fetch']
  readonly documents: Omit<Settings['documents'], 'priceUsd'> & { readonly priceNano: Amount }
  readonly payments: PaymentsConfig
  readonly cache: Settings['cache']
}

export type StoreConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: Secret }

export type EngineConfig = OpenAiEngineConfig | HostedEngineConfig | EmbeddedEngineConfig

interface EngineBasics {
  readonly id: string
  /** Requests at a time; `unlimited` is the largest safe integer. */
  readonly maxConcurrency: number
  readonly onDisconnect: 'cancel' | 'drain'
  readonly timeouts: EngineTimeouts
}

interface RemoteEngineConfig extends EngineBasics {
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Null sends no key. */
  readonly apiKey: Secret | null
  readonly fetchesUrls: boolean
  /** The operator's own list; the preset's list comes on top. */
  readonly deniedKeys: readonly string[]
}

interface OpenAiEngineConfig extends RemoteEngineConfig {
  readonly kind: 'openai'
  readonly preset: Settings['engines'][number]['preset']
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  /** Members of a body by which it is told to search X; none where it cannot. */
  readonly xSearch: JsonObject
}

/** Claude or Gemini in the API of its maker. */
interface HostedEngineConfig extends RemoteEngineConfig {
  readonly kind: 'anthropic' | 'google'
}

/** The test mode inside the gateway: it has no address, no key and no quirks. */
interface EmbeddedEngineConfig extends EngineBasics {
  readonly kind: 'embedded'
}

/** All in milliseconds, all above 0. */
interface EngineTimeouts {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly idleMs: number
  readonly totalMs: number
  readonly streamTotalMs: number
}

export interface LimitsConfig {
  readonly overdraftNano: Amount
  readonly concurrencyPerAccount: Limit
  /** Per account; `unlimited` is the largest safe integer. */
  readonly freeFailuresPerHour: number
  readonly errorBudget: { readonly failed: Limit; readonly unsupported: Limit; readonly windowSeconds: number }
  readonly tiers: Readonly<
    Record<
      RateTier,
      { readonly requestsPerMinute: Limit; readonly tokensPerMinute: Limit; readonly requestsPerDay: Limit }
    >
  >
}

/** Both above 0: what costs nothing says so itself. */
export type DefaultPrices = Pick<PriceList, 'inputNanoPerMillion' | 'outputNanoPerMillion'>

export interface SearchConfig {
  /** In the order in which they are asked; each once. */
  readonly order: readonly SearchProviderConfig[]
  /** Everybody who can be asked, those of the order included. */
  readonly providers: readonly SearchProviderConfig[]
  readonly priceNano: Amount
  /** The model of the catalogue that decides where the signs of a question are not clear; null for none. */
  readonly autoModel: string | null
  /** Pages of the first results that are read too; 0 to 5. */
  readonly readPages: number
  readonly timeoutMs: number
  readonly providerTimeoutMs: number
}

export type SearchProviderConfig = RemoteSearchConfig | { readonly name: 'embedded' }

export interface RemoteSearchConfig {
  readonly name: Exclude<NonNullable<Settings['search']>['provider'], 'embedded'>
  /** Null for the provider's own; without a trailing slash. */
  readonly baseUrl: string | null
  readonly apiKey: Secret | null
}

type X402Settings = Settings['payments']['x402']

export interface PaymentsConfig {
  readonly x402: Omit<X402Settings, 'topUp' | 'walletFloorUsd'> & {
    readonly topUp: { readonly minNano: Amount; readonly maxNano: Amount; readonly suggestedNano: Amount }
    readonly walletFloorNano: Amount
  }
}
