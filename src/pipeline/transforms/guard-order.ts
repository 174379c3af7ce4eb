import type { CompletionEvent } from '../../core/completion-event.ts'
import { toGatewayError } from '../../core/gateway-error.ts'

/**
 * Makes misuse of the event order loud and failures uniform: chunks, then usage, then exactly one `end`; whatever the
 * source throws becomes one `fault`. Nothing follows a fault or an end.
 */
export async function* guardOrder(events: AsyncIterable<CompletionEvent>): AsyncGenerator<CompletionEvent> {
  try {
    for await (const event of events) {
      yield event
      if (event.type === 'fault' || event.type === 'end') return
    }
    yield { type: 'end' }
  } catch (error) {
    yield { type: 'fault', error: toGatewayError(error) }
  }
}
