/** What the engine would report when it told the truth. */
export interface UsageFacts {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cachedTokens: number | undefined
  readonly reasoningTokens: number | undefined
  /** False when a streaming caller did not ask for usage. */
  readonly wanted: boolean
}

/**
 * Where usage appears, each value as JSON text (so that `1e308` and broken numbers keep their spelling).
 * What is undefined leaves the `usage` key out.
 */
interface UsagePlacement {
  /** In the `chat.completion` of a request without stream. */
  readonly answer?: string | undefined
  /** On the content chunk with this number, counted from 0; `served` tokens are out after it. */
  readonly onChunk?: (served: number, index: number) => string | undefined
  /** On the chunk that carries the finish reason. */
  readonly onFinish?: string | undefined
  /** One chunk with empty `choices` each, before `[DONE]`. */
  readonly closing?: readonly string[]
}

export type UsagePlan = (facts: UsageFacts) => UsagePlacement

function usageJson(facts: UsageFacts, completionTokens: number | string = facts.completionTokens): string {
  const total = typeof completionTokens === 'number' ? facts.promptTokens + completionTokens : facts.promptTokens
  const prompt =
    facts.cachedTokens === undefined ? '' : `,"prompt_tokens_details":{"cached_tokens":${facts.cachedTokens}}`
  const completion =
    facts.reasoningTokens === undefined
      ? ''
      : `,"completion_tokens_details":{"reasoning_tokens":${facts.reasoningTokens}}`
  const counts = `"prompt_tokens":${facts.promptTokens},"completion_tokens":${completionTokens},"total_tokens":${total}`
  return `{${counts}${prompt}${completion}}`
}

/** The same JSON value at the ordinary places: in the completion, and in one chunk of its own before `[DONE]`. */
export function usageValue(json: string): UsagePlan {
  return () => ({ answer: json, closing: [json] })
}

function wrongCompletionTokens(spelling: number | string): UsagePlan {
  return facts => {
    const json = usageJson(facts, spelling)
    return { answer: json, closing: [json] }
  }
}

/** Every way to report usage, right and wrong. Names are stable: fault matrices iterate over them. */
export const usagePlans = {
  /** As vLLM: in the completion; in a stream one chunk of its own, and only when it was asked for. */
  reported: facts => ({ answer: usageJson(facts), closing: facts.wanted ? [usageJson(facts)] : [] }),
  /** As OpenAI: every other chunk says `"usage":null`. */
  nullUntilLast: facts => ({
    answer: usageJson(facts),
    onChunk: () => 'null',
    onFinish: 'null',
    closing: [usageJson(facts)],
  }),
  /** On the finish chunk, together with `choices`, and nowhere else. */
  onFinish: facts => ({ answer: usageJson(facts), onFinish: usageJson(facts) }),
  /** A running count on every chunk, then the final chunk. */
  continuous: facts => ({
    answer: usageJson(facts),
    onChunk: served => usageJson(facts, served),
    onFinish: usageJson(facts),
    closing: [usageJson(facts)],
  }),
  missing: () => ({}),
  null: () => ({ answer: 'null', onFinish: 'null', closing: ['null'] }),
  emptyObject: usageValue('{}'),
  /** Only on the second content chunk; a completion without stream has none. */
  middleChunkOnly: facts => ({
    onChunk: (served, index) => (index === 1 ? usageJson(facts, served) : undefined),
  }),
  twice: facts => ({ answer: usageJson(facts), closing: [usageJson(facts), usageJson(facts)] }),
  /** The running count falls with each chunk, and the last report is below all of them. */
  decreasing: facts => ({
    answer: usageJson(facts),
    onChunk: served => usageJson(facts, facts.completionTokens + 10 - served),
    closing: [usageJson(facts, 1)],
  }),
  zero: usageValue('{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}'),
  negative: wrongCompletionTokens(-5),
  negativePrompt: usageValue('{"prompt_tokens":-1000,"completion_tokens":5,"total_tokens":-995}'),
  fractional: wrongCompletionTokens('2.5'),
  string: wrongCompletionTokens('"7"'),
  nanText: wrongCompletionTokens('"NaN"'),
  /** Not JSON at all: the whole event or body cannot be parsed. */
  nanLiteral: wrongCompletionTokens('NaN'),
  boolean: wrongCompletionTokens('true'),
  array: usageValue('[1,2,3]'),
  text: usageValue('"a lot"'),
  huge: wrongCompletionTokens('1e308'),
  infinite: wrongCompletionTokens('1e999'),
  beyondSafeInteger: wrongCompletionTokens('9007199254740993'),
  /** Plausible as a number, but more than any model's context. */
  aboveContext: wrongCompletionTokens(50_000_000),
  /** Parts right, total wrong. */
  wrongTotal: facts => {
    const json = `{"prompt_tokens":${facts.promptTokens},"completion_tokens":${facts.completionTokens},"total_tokens":1}`
    return { answer: json, closing: [json] }
  },
  /** More cached tokens than prompt tokens. */
  cachedAbovePrompt: facts => {
    const json = usageJson({ ...facts, cachedTokens: facts.promptTokens + 1 })
    return { answer: json, closing: [json] }
  },
} satisfies Record<string, UsagePlan>
