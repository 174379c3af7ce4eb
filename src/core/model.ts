import type { MediaCosts } from './media-costs.ts'
import type { PriceList } from './price.ts'

/** A model of the catalogue: what callers may ask for, at which price, and who serves it (operator.md §3 `models`). */
export interface Model {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly family: string
  readonly type: 'text' | 'embedding'
  readonly traits: readonly string[]
  readonly compatibility: readonly string[]
  readonly tier: RateTier
  readonly contextTokens: number
  readonly maxOutputTokens: number
  readonly apiCap: boolean
  readonly maxChoices: number
  readonly maxImages: number
  readonly constraints: Readonly<Record<string, { readonly default: number }>>
  readonly prices: PriceList
  readonly free: boolean
  readonly capabilities: Capabilities
  readonly reasoning: ReasoningOptions | null
  readonly cacheRetention: readonly string[]
  readonly privacy: 'private' | 'anonymized' | 'tee' | 'e2ee'
  readonly proOnly: boolean
  /** On trial. */
  readonly beta: boolean
  readonly deniedRegions: readonly string[]
  readonly deprecation: { readonly date: string; readonly successor: string | null; readonly autoRemap: boolean } | null
  readonly mediaCheck: boolean | null
  readonly mediaCosts: MediaCosts
  /** Body keys that never reach an engine for this model, on top of the engine's own list; as `foldName` gives them. */
  readonly deniedKeys: ReadonlySet<string>
  /** Nodes that serve the model, in the operator's order; several mean failover. */
  readonly served: readonly ServedBy[]
  /** Unix seconds, as the model list shows it. */
  readonly created: number
  readonly ownedBy: string
}

export interface ServedBy {
  readonly engineId: string
  /** The engine's own name of the model. It never reaches a caller. */
  readonly engineModel: string
  readonly weight: number
}

export type RateTier = 'XS' | 'S' | 'M' | 'L'

export interface Capabilities {
  readonly functionCalling: boolean
  readonly responseSchema: boolean
  readonly reasoning: boolean
  readonly reasoningEffort: boolean
  readonly vision: boolean
  readonly multipleImages: boolean
  readonly audioInput: boolean
  readonly videoInput: boolean
  readonly logProbs: boolean
  readonly webSearch: boolean
  readonly xSearch: boolean
  readonly e2ee: boolean
  readonly teeAttestation: boolean
  readonly optimizedForCode: boolean
  readonly quantization: string
}

interface ReasoningOptions {
  readonly efforts: readonly string[]
  readonly default: string | null
  readonly canDisable: boolean
}
