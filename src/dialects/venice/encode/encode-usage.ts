import type { AnswerFacts, JsonMembers } from '../../../core/answer-encoder.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json.ts'
import { objectJson } from '../../openai/usage-json.ts'

/** The engine's figures as it reported them, completed with those that clients count on (venice.md §2.1). */
export function usageMembers(facts: AnswerFacts, reported: () => JsonObject): JsonMembers {
  const usage = reported()
  return {
    prompt_tokens_details: JSON.stringify({
      cached_tokens: facts.usage.cachedTokens,
      cache_creation_input_tokens: facts.usage.cacheWriteTokens,
      ...known(usage['prompt_tokens_details']),
      ...injected(facts),
    }),
    completion_tokens_details: JSON.stringify({
      reasoning_tokens: facts.usage.reasoningTokens,
      ...known(usage['completion_tokens_details']),
    }),
  }
}

/** A whole `usage` of our own figures, for engines that report none. */
export function usageObject(facts: AnswerFacts): string {
  const { promptTokens, completionTokens } = facts.usage
  return objectJson({
    prompt_tokens: `${promptTokens}`,
    completion_tokens: `${completionTokens}`,
    total_tokens: `${promptTokens + completionTokens}`,
    ...usageMembers(facts, () => ({})),
  })
}

/** What an engine does not know it leaves out or sets to null; neither replaces a figure. */
function known(details: JsonValue | undefined): JsonObject {
  if (!isJsonObject(details)) return {}
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== null))
}

/** Words of the gateway's own are billed like the caller's, so they are reported apart (an extension of ours). */
function injected({ injectedTokens }: AnswerFacts): JsonObject {
  return injectedTokens === 0 ? {} : { injected_tokens: injectedTokens }
}
