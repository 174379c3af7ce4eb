import type { ReasoningWish } from '../../../core/completion-request.ts'
import type { JsonObject } from '../../../lib/json.ts'

/** A request in OpenAI's form, read for engines that speak another language. Nothing of another form is left in it. */
export interface Chat {
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice
  readonly parallelCalls: boolean
  readonly format: AnswerFormat
  readonly sampling: Sampling
  readonly reasoning: ReasoningWish
}

export type Turn =
  | { readonly role: 'system'; readonly parts: readonly Part[] }
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  | AssistantTurn
  | ToolTurn

export interface AssistantTurn {
  readonly role: 'assistant'
  readonly parts: readonly Part[]
  readonly calls: readonly ToolCall[]
  /** What engines signed, as it came back from the caller. */
  readonly reasoningDetails: readonly JsonObject[]
  readonly thoughtSignature: string | null
}

export interface ToolTurn {
  readonly role: 'tool'
  readonly callId: string
  readonly parts: readonly Part[]
  /** Where it stands in the request. */
  readonly path: string
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  /** Google's, where a caller keeps it with the call. */
  readonly signature: string | null
}

export type Part = TextPart | MediaPart

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  /** A breakpoint of a prompt cache, as callers write it; null for none. */
  readonly cacheControl: JsonObject | null
}

export interface MediaPart {
  readonly kind: 'image' | 'audio' | 'video' | 'file'
  readonly source: MediaSource
  readonly cacheControl: JsonObject | null
  /** Where it stands in the request, for engines that cannot take it. */
  readonly path: string
}

export type MediaSource =
  | { readonly kind: 'data'; readonly mediaType: string; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string }

export interface Tool {
  readonly name: string
  readonly description: string | null
  /** JSON Schema of the arguments; null for a tool without any. */
  readonly parameters: JsonObject | null
  readonly strict: boolean
  readonly cacheControl: JsonObject | null
}

/** `auto` is also what a caller means that says nothing. */
export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'required' }
  | { readonly kind: 'named'; readonly name: string }

export type AnswerFormat = { readonly kind: 'text' | 'json' } | { readonly kind: 'schema'; readonly schema: JsonObject }

/** Null where nothing was asked for. */
export interface Sampling {
  readonly temperature: number | null
  readonly topP: number | null
  readonly topK: number | null
  readonly seed: number | null
  readonly presencePenalty: number | null
  readonly frequencyPenalty: number | null
  readonly stop: readonly string[]
}
