import type { Prepared } from '../stages.ts'
import { citeSources } from './cite-sources.ts'
import { deliverDocuments } from './deliver-documents.ts'
import { dropEngineMembers } from './drop-engine-members.ts'
import { finishReason } from './finish-reason.ts'
import { guardOrder } from './guard-order.ts'
import { joinParts } from './join-parts.ts'
import { normaliseReasoning } from './normalise-reasoning.ts'
import { splitThinking } from './split-thinking.ts'
import { stripReasoning } from './strip-reasoning.ts'
import { chain, type EventTransform } from './transform.ts'

export const asItComes = chain(guardOrder)

const understood = [joinParts, normaliseReasoning, splitThinking, finishReason, dropEngineMembers]

/** The steps between an engine's events and the caller, the first next to the engine; null where there are none. */
export function answerSteps({ request, grounding }: StepGround): EventTransform | null {
  const sources = grounding?.sources ?? []
  const { marks = null, asDocuments = false } = sources.length === 0 ? {} : (request.grounding ?? {})
  const steps = [
    ...(asDocuments ? [deliverDocuments(sources, request.choices)] : []),
    ...(request.answer === null ? [] : understood),
    ...(request.answer?.stripReasoning === true ? [stripReasoning] : []),
    ...(marks === null ? [] : [citeSources(sources, marks)]),
  ]
  return steps.length === 0 ? null : chain(guardOrder, ...steps)
}

interface StepGround {
  readonly request: Pick<Prepared['request'], 'answer' | 'choices' | 'grounding'>
  readonly grounding: Prepared['grounding']
}
