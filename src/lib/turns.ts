import { setImmediate } from 'node:timers/promises'

/** Bytes that are copied, decoded or looked at in one turn of the event loop: some milliseconds, new memory included. */
export const turnBytes = 2_097_152

/** Long work that stops where others may have a turn of the event loop. */
export type Steps<Result> = Generator<void, Result, void>

let lastTurn: Promise<unknown> = Promise.resolve()

/**
 * Does long work step by step, with a turn of the event loop between two steps. All such work of the process goes one after
 * the other, so that many large bodies together hold up a small request no longer than one of them.
 * @throws what the signal says, between two steps
 */
export async function inTurns<Result>(work: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    signal?.throwIfAborted()
    const step = work.next()
    if (step.done === true) return step.value
    lastTurn = lastTurn.then(() => setImmediate())
    await lastTurn
  }
}
