import type { ChatRequest } from '../chat-request.ts'

/** What is known of the loaded model. */
export interface EngineFacts {
  /** The name it is served under. */
  readonly model: string
  /** Tokens of prompt and answer together. */
  readonly contextTokens: number
  /** Tokens the model was trained for; more than it is given here as a rule. */
  readonly trainedContextTokens: number
  readonly supportsTools: boolean
  /** Name of the chat template's renderer. */
  readonly template: string
  readonly threads: number
  /** Build of llama.cpp: answers with the same seed are the same only within one. */
  readonly fingerprint: string
  /** Seconds since the epoch when the model was loaded. */
  readonly createdSeconds: number
}

/** A piece of an answer, in the order in which it is generated. */
export type AnswerPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly index: number; readonly name: string }
  | { readonly kind: 'arguments'; readonly index: number; readonly text: string }

export interface AnswerEnd {
  readonly finishReason: 'stop' | 'length' | 'tool_calls'
  /** Every token that the model generated, those of stop sequences and end marks included. */
  readonly completionTokens: number
  readonly reasoningTokens: number
  /** Tokens of the prompt that were still evaluated from the answer before. */
  readonly cachedTokens: number
}

/** A request that fits the context. */
export interface OpenedChat {
  readonly promptTokens: number
  /** Generates one answer. Only one runs at a time; the caller sees to that. */
  generate(
    options: { readonly seed: number; readonly onPart: (part: AnswerPart) => void },
    signal: AbortSignal,
  ): Promise<AnswerEnd>
}

export interface Engine {
  readonly facts: EngineFacts
  /** Tokens generated since the start, over all answers. */
  generatedTokens(): number
  /** Renders and counts the prompt. @throws WireError 400: too long, tools unsupported, template refuses it. */
  open(request: ChatRequest): OpenedChat
}
