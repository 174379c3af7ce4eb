import type { Failure, Outcome } from '../client.ts'

export function replyOf<Value>(outcome: Outcome<Value>): Value {
  if ('failure' in outcome) throw new Error(`the client failed: ${JSON.stringify(outcome.failure)}`)
  return outcome.value
}

export function failureOf(outcome: Outcome<unknown>): Failure {
  if ('value' in outcome) throw new Error(`the client did not fail: ${JSON.stringify(outcome.value)}`)
  return outcome.failure
}
