/** A chat completion request after decoding: every value is checked, every default is filled in. */
export interface ChatRequest {
  readonly model: string
  readonly messages: readonly ChatMessage[]
  readonly sampling: Sampling
  /** Texts that end an answer; they are not part of it. At most 16. */
  readonly stop: readonly string[]
  /** Absent: as many as the context still holds. */
  readonly maxTokens: number | undefined
  /** How many answers, 1–8. They are generated one after the other. */
  readonly choices: number
  /** Empty when the caller offers none or forbids their use. */
  readonly tools: readonly ToolDefinition[]
  readonly parallelToolCalls: boolean
  /** GBNF text that the answer has to follow. Never together with tools. */
  readonly grammar: string | undefined
  readonly stream: boolean
  /** Whether a stream ends with a chunk of usage. */
  readonly includeUsage: boolean
}

export interface Sampling {
  readonly temperature: number
  readonly topP: number
  readonly topK: number
  readonly minP: number
  readonly presencePenalty: number
  readonly frequencyPenalty: number
  /** 0 to 2^32 − 1. Absent: drawn for each answer. */
  readonly seed: number | undefined
}

export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string }

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string | undefined
  /** In the form that the library's function grammar takes; absent: the tool takes no arguments. */
  readonly parameters: Readonly<Record<string, unknown>> | undefined
}
