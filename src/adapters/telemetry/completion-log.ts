import type { Logger } from '../../core/logger.ts'
import { formatUsd } from '../../core/money.ts'
import type { CompletionFacts, CompletionObserver } from '../../domain/usage/completion-observer.ts'

/** One terminal line per request (operator.md §1): what happened, to whom it was charged, never what was said. */
export function createCompletionLog(logger: Logger): CompletionObserver {
  return {
    holding: () => undefined,
    completed(facts) {
      const line = describe(facts)
      if (facts.outcome === 'upstream_fail') logger.warn('completion.ended', line)
      else logger.info('completion.ended', line)
    },
    refused: (model, code) => logger.info('completion.refused', { model, code }),
  }
}

function describe(facts: CompletionFacts) {
  return {
    requestId: facts.requestId,
    completionId: facts.completionId,
    accountId: facts.accountId,
    keyId: facts.keyId,
    surface: facts.surface,
    model: facts.model,
    node: facts.node,
    stream: facts.stream,
    status: facts.status,
    outcome: facts.outcome,
    promptTokens: facts.usage.promptTokens,
    completionTokens: facts.usage.completionTokens,
    usageSource: facts.usageSource,
    costUsd: facts.charge === null ? null : formatUsd(facts.charge.totalNano),
    attempts: facts.attempts.length,
    firstByteMs: facts.firstByteMs,
    totalMs: facts.totalMs,
  }
}
