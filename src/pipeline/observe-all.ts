import type { Logger } from '../core/logger.ts'
import type { CompletionObserver } from '../domain/usage/completion-observer.ts'

/** Tells several observers. One that fails is reported and disturbs neither the request nor the others. */
export function observeAll(logger: Logger, observers: readonly CompletionObserver[]): CompletionObserver {
  const tell = (call: (observer: CompletionObserver) => void) => {
    for (const observer of observers) {
      try {
        call(observer)
      } catch (error) {
        logger.error('observer.failed', { error })
      }
    }
  }
  return {
    holding: (model, change) => tell(observer => observer.holding(model, change)),
    completed: facts => tell(observer => observer.completed(facts)),
    refused: (model, code) => tell(observer => observer.refused(model, code)),
  }
}
