import type { CompletionEvent } from '../../../core/completion-event.ts'
import type { Engine } from '../../../domain/engines/engine.ts'
import type { EngineCall, EngineReply } from '../../../domain/engines/types.ts'
import { mergeChoices } from './merge-choices.ts'
import { eventsOfReply, isAnswer } from './reply-events.ts'
import { singleCall } from './single-call.ts'

/**
 * Lets an engine that gives one choice give several: each is a call of its own, under one hold and on one place of the
 * node. What answers first decides whether the call is accepted; what fails ends all of them.
 */
export function createFanOutEngine(engine: Engine): Engine {
  const open = (call: EngineCall, signal: AbortSignal): Promise<EngineReply> =>
    call.choices === 1 ? engine.open(call, signal) : openAll(engine, call, signal)
  return { ...engine, open }
}

interface OpenCall {
  readonly reply: Promise<EngineReply>
  stop(): void
}

/** An engine may answer one call after the other, so that nobody can wait for all of them before reading the first. */
async function openAll(engine: Engine, call: EngineCall, signal: AbortSignal): Promise<EngineReply> {
  const single = singleCall(call)
  const calls = Array.from({ length: call.choices }, () => openOne(engine, single, signal))
  try {
    const first = await Promise.race(calls.map(async one => ({ one, reply: await one.reply })))
    if (isAnswer(first.reply)) return { kind: 'events', events: relay(calls) }
    for (const one of calls) if (one !== first.one) one.stop()
    return first.reply
  } catch (error) {
    for (const one of calls) one.stop()
    throw error
  }
}

function openOne(engine: Engine, call: EngineCall, signal: AbortSignal): OpenCall {
  const stopping = new AbortController()
  const reply = engine.open(call, AbortSignal.any([signal, stopping.signal]))
  // Whoever waits for it hears of it; a call that was stopped has nobody.
  reply.catch(() => undefined)
  return { reply, stop: () => stopping.abort() }
}

async function* relay(calls: readonly OpenCall[]): AsyncGenerator<CompletionEvent> {
  try {
    yield* mergeChoices(calls.map(({ reply }) => eventsOf(reply)))
  } finally {
    for (const one of calls) one.stop()
  }
}

async function* eventsOf(reply: Promise<EngineReply>): AsyncGenerator<CompletionEvent> {
  yield* eventsOfReply(await reply)
}
