import type { CompletionEvent } from '../../core/completion-event.ts'

/** One step of understanding over a stream of events. Steps are written once and serve whole answers as well. */
export type EventTransform = (events: AsyncIterable<CompletionEvent>) => AsyncIterable<CompletionEvent>

/** Applies the steps in the order given, the first next to the engine. */
export function chain(...transforms: readonly EventTransform[]): EventTransform {
  return events => transforms.reduce((stream, apply) => apply(stream), events)
}
