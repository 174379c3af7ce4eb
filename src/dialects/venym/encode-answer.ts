import type { AnswerEncoder } from '../../core/answer-encoder.ts'
import { errorJson } from '../openai/error-json.ts'
import { costMembers, usageJson } from '../openai/usage-json.ts'

/** What this dialect adds to an engine's answer: the cost inside `usage`, and whether usage is an estimate (venym.md §3). */
export const venymEncoder: AnswerEncoder = {
  usageMembers: facts => (facts.charge === null ? {} : costMembers(facts.charge)),
  usageObject: usageJson,
  answerMembers: facts => (facts.usageSource === 'estimated' ? { usage_estimated: 'true' } : {}),
  errorBody: errorJson,
  errorEvent: errorJson,
}
