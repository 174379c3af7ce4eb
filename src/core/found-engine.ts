import type { Secret } from '../lib/secret.ts'

/** An engine that was found without a configuration file, as it describes itself (operator.md §1). */
export interface FoundEngine {
  /** Short and unique, the engine's id from then on: `ollama`, `vllm`, `environment`. */
  readonly id: string
  /** The language that it speaks. */
  readonly kind: 'openai' | 'anthropic'
  /** The program behind the address, for its quirks and the keys that never reach it. */
  readonly preset: string
  /** With the path that precedes `/chat/completions`, without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: Secret | null
  readonly models: readonly FoundModel[]
}

/** A chat model of a found engine. Null and false mean that the engine did not say. */
export interface FoundModel {
  /** What callers may ask for: the engine's name without what it says about the engine's machine. */
  readonly id: string
  /** The engine's own name of it. */
  readonly name: string
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  readonly functionCalling: boolean
  readonly responseSchema: boolean
  readonly reasoning: boolean
  readonly vision: boolean
  readonly logProbs: boolean
}
