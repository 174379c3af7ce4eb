import { isFollowUp } from '../query/follow-up.ts'
import { findSignals, type Signal } from './find-signals.ts'
import type { SearchClassifier } from './search-classifier.ts'

export interface SearchDecision {
  readonly search: boolean
  /** What decided: the signs of the prompt, or the operator's model where they were not clear. */
  readonly by: 'signals' | 'model'
  /** The sum of the signs' weights; a search begins at `searchScore`. */
  readonly score: number
  readonly signals: readonly Signal[]
}

export interface DecisionGround {
  readonly nowYear: number
  /** The operator's small model; null where none is named. */
  readonly model: SearchClassifier | null
}

/** From this score on something is looked up. */
const searchScore = 2
/** Scores so near to it are not clear, and a model is asked where there is one. */
const unclearWithin = 2
/** The beginning and the end say what a long message is about. */
const headCharacters = 1_200
const tailCharacters = 600

/**
 * Whether a conversation asks for something that has to be looked up (`auto`). `questions` are what the user said, the
 * newest last; a short one that leans on the one before it is judged together with it.
 */
export async function decideSearch(
  questions: readonly string[],
  { nowYear, model }: DecisionGround,
  signal: AbortSignal,
): Promise<SearchDecision> {
  const decision = judgeBySignals(questions, nowYear)
  if (model === null || Math.abs(decision.score - searchScore + 0.5) > unclearWithin) return decision
  const opinion = await model.needsSearch(textToJudge(questions), signal)
  return opinion === null ? decision : { ...decision, search: opinion, by: 'model' }
}

/** The same by rules alone: local, and in far less than a millisecond. */
export function judgeBySignals(questions: readonly string[], nowYear: number): SearchDecision {
  const signals = findSignals(textToJudge(questions), nowYear)
  const score = signals.reduce((sum, { weight }) => sum + weight, 0)
  return { search: score >= searchScore, by: 'signals', score, signals }
}

function textToJudge(questions: readonly string[]): string {
  const last = bounded(questions.at(-1) ?? '')
  const before = questions.at(-2)
  return before !== undefined && isFollowUp(last) ? `${bounded(before)} ${last}` : last
}

function bounded(text: string): string {
  if (text.length <= headCharacters + tailCharacters) return text
  return `${text.slice(0, headCharacters)}\n${text.slice(-tailCharacters)}`
}
