import { expect, it } from 'vitest'
import type { CompletionEvent } from '../../core/completion-event.ts'
import { EngineFault, type FaultKind } from '../../domain/engines/types.ts'
import { guardOrder } from '../transforms/guard-order.ts'
import { chain } from '../transforms/transform.ts'
import { answerNames } from './answer-names.ts'
import { openEventLane } from './event-lane.ts'
import { Meter } from './meter.ts'
import { openWhole } from './open-whole.ts'
import type { StreamWriter } from './stream-writer.ts'

const { signal } = new AbortController()
const chunk: CompletionEvent = { type: 'chunk', chunk: { choices: [{ index: 0, delta: { content: 'Hi' } }] } }

async function* eventsThen(kind: FaultKind, before: readonly CompletionEvent[]): AsyncGenerator<CompletionEvent> {
  yield* before
  throw new EngineFault(kind, `it was ${kind}`)
}

const createMeter = () => new Meter({ promptCharacters: 4, promptTokensBound: 100, choices: 1, outputLimit: 100 })

function openLane(events: AsyncIterable<CompletionEvent>) {
  return openEventLane(events, {
    names: answerNames('chatcmpl-ours', 'venym/public'),
    meter: createMeter(),
    transform: chain(guardOrder),
  })
}

it.each(['aborted', 'idle_timeout', 'reset'] as const)('keeps what kind of fault a node had: %s', async kind => {
  const fault = expect.objectContaining({ name: 'EngineFault', kind, message: `it was ${kind}` })
  await expect(openLane(eventsThen(kind, []))).rejects.toEqual(fault)
  await expect(
    openWhole({ kind: 'events', events: eventsThen(kind, [chunk]) }, { meter: createMeter(), signal, steps: null }),
  ).rejects.toEqual(fault)
  const writer = { write: () => true } as unknown as StreamWriter
  const lane = await openLane(eventsThen(kind, [chunk]))
  const end = await lane.relay(writer, { onRead: () => undefined, onDrain: () => undefined, signal })
  expect(end).toEqual({ kind: 'fault', fault })
})
