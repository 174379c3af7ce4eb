/** The JSON of the API as tests read it. What is not named here is there too, as unknown. */

export interface AnswerUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly cost?: number
  readonly cost_details?: Readonly<Record<string, number | null>>
  readonly [name: string]: unknown
}

interface AnswerChoice {
  readonly index: number
  readonly finish_reason: string | null
  readonly message?: { readonly role: string; readonly content: string | null; readonly [name: string]: unknown }
  readonly delta?: { readonly role?: string; readonly content?: string | null; readonly [name: string]: unknown }
  readonly [name: string]: unknown
}

export interface AnswerError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string
  readonly [name: string]: unknown
}

export interface AnswerJson {
  readonly id?: string
  readonly model?: string
  readonly choices?: readonly AnswerChoice[]
  readonly usage?: AnswerUsage
  readonly usage_estimated?: boolean
  readonly error?: AnswerError
  readonly data?: unknown
  readonly [name: string]: unknown
}

/** `GET /v1/generation` (venym.md §7). */
export interface Generation {
  readonly id: string
  readonly model: string
  readonly streamed: boolean
  readonly outcome: string
  readonly finish_reason: string | null
  readonly provider_name: string | null
  readonly tokens_prompt: number
  readonly tokens_completion: number
  readonly native_tokens_reasoning: number
  readonly native_tokens_cached: number
  readonly usage_source: string
  readonly total_cost: number
  readonly attempts: readonly { readonly node: string; readonly status: number | string; readonly ms: number }[]
  readonly hold: number
  readonly settled: number | null
  readonly price_version: string
  readonly [name: string]: unknown
}

/** `GET /v1/credits`, in nano-USD. */
export interface Credits {
  readonly creditedNano: bigint
  readonly usedNano: bigint
  readonly balanceNano: bigint
  readonly availableNano: bigint
}
