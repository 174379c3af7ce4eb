import type { AnswerEncoder, AnswerFacts, JsonMembers } from '../../core/answer-encoder.ts'
import { errorJson } from '../openai/error-json.ts'
import { rateHeaders } from '../openai/rate-headers.ts'
import { costMembers, usageJson } from '../openai/usage-json.ts'

/** What this dialect adds to an engine's answer: the cost inside `usage`, and whether usage is an estimate (venym.md §3). */
export const venymEncoder: AnswerEncoder = {
  usageMembers: facts => (facts.charge === null ? {} : costMembers(facts.charge)),
  usageObject: usageJson,
  answerMembers: facts => ({ ...estimateMark(facts), ...extras(facts) }),
  closingMembers: () => null,
  answerHeaders: ({ rates }) => Object.fromEntries(rateHeaders(rates)),
  renderError: error => ({
    status: error.status,
    headers: error.options.rates === undefined ? {} : Object.fromEntries(rateHeaders(error.options.rates)),
    body: errorJson(error),
  }),
  errorEvent: errorJson,
}

function estimateMark({ usageSource }: AnswerFacts): JsonMembers {
  return usageSource === 'estimated' ? { usage_estimated: 'true' } : {}
}

/** `venym.sources`, numbered as the marks in the text are; and why there are none. */
function extras({ grounding }: AnswerFacts): JsonMembers {
  if (grounding === null) return {}
  const { sources, error } = grounding
  if (error !== null) return { venym: JSON.stringify({ search_error: error }) }
  return { venym: JSON.stringify({ sources: sources.map(({ title, url }) => ({ title, url })) }) }
}
