import type { CompletionEvent } from '../../core/completion-event.ts'
import type { JsonObject } from '../../lib/json.ts'

/** Makes the chunks of an answer with one choice. The first one says who speaks, and comes with the first thing said. */
export class ChunkMaker {
  private readonly created: number
  private id = ''
  private model = ''
  private isOpen = false

  /** `created` in seconds since the epoch. */
  constructor(created: number) {
    this.created = created
  }

  /** The engine's own names, for the record; callers see the gateway's. */
  name(id: string, model: string): void {
    this.id = id
    this.model = model
  }

  make(delta: JsonObject, finishReason: string | null = null): CompletionEvent {
    const content = delta['tool_calls'] === undefined ? '' : null
    const whole: JsonObject = this.isOpen ? delta : { role: 'assistant', content, ...delta }
    this.isOpen = true
    const choice: JsonObject = { index: 0, delta: whole, logprobs: null, finish_reason: finishReason }
    const { id, model, created } = this
    return { type: 'chunk', chunk: { id, object: 'chat.completion.chunk', created, model, choices: [choice] } }
  }
}
