import { answer } from '../support/mock-engine/index.ts'
import type { AnswerOptions } from '../support/mock-engine/plan-answer.ts'
import type { Behaviour, Step } from '../support/mock-engine/step.ts'

const pollMs = 20

export interface Gate {
  readonly behaviour: Behaviour
  open(): void
}

/** An engine that keeps all requests waiting until the gate is opened, so that every hold stays open as long. */
export function createGate(options: AnswerOptions = {}): Gate {
  let isOpen = false
  return {
    *behaviour(request): Generator<Step> {
      while (!isOpen) yield { kind: 'wait', ms: pollMs }
      yield* answer(options)(request)
    },
    open() {
      isOpen = true
    },
  }
}
