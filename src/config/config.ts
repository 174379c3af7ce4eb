import type { Model, RateTier } from '../core/model.ts'
import type { Amount } from '../core/money.ts'
import type { PriceList } from '../core/price.ts'
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
    readonly signInDomains: readonly string[]
  }
  readonly store: StoreConfig
  readonly keys: { readonly prefix: string }
  readonly startingCreditNano: Amount
  readonly ownedBy: string
  readonly accounts: { readonly selfService: boolean }
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
  /** Null when no search is configured. */
  readonly search: SearchConfig | null
  readonly scrape: { readonly pageNano: Amount; readonly maxPages: number }
  readonly fetch: Settings['fetch']
  readonly documents: Settings['documents']
  readonly payments: PaymentsConfig
  readonly cache: Settings['cache']
}

export type StoreConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: Secret }

export type EngineConfig = OpenAiEngineConfig | EmbeddedEngineConfig

interface EngineBasics {
  readonly id: string
  /** Requests at a time; `unlimited` is the largest safe integer. */
  readonly maxConcurrency: number
  readonly onDisconnect: 'cancel' | 'drain'
  readonly timeouts: EngineTimeouts
}

interface OpenAiEngineConfig extends EngineBasics {
  readonly kind: 'openai'
  readonly preset: Settings['engines'][number]['preset']
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Null sends no Authorization header. */
  readonly apiKey: Secret | null
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  readonly fetchesUrls: boolean
  /** The operator's own list; the preset's list comes on top. */
  readonly deniedKeys: readonly string[]
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
  readonly tiers: Readonly<Record<RateTier, { readonly requestsPerMinute: Limit; readonly tokensPerMinute: Limit }>>
}

/** Both above 0: what costs nothing says so itself. */
export type DefaultPrices = Pick<PriceList, 'inputNanoPerMillion' | 'outputNanoPerMillion'>

export interface SearchConfig {
  readonly provider: string
  readonly fallback: readonly string[]
  readonly baseUrl: string
  readonly apiKey: Secret | null
  readonly priceNano: Amount
  readonly timeoutMs: number
}

type X402Settings = Settings['payments']['x402']

export interface PaymentsConfig {
  readonly x402: Omit<X402Settings, 'topUp' | 'walletFloorUsd'> & {
    readonly topUp: { readonly minNano: Amount; readonly maxNano: Amount; readonly suggestedNano: Amount }
    readonly walletFloorNano: Amount
  }
}
