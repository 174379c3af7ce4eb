import type { EngineReply } from '../../domain/engines/types.ts'

/**
 * Bytes where only id, model, usage and cost change; events where content must be understood, or where an engine gives
 * events in the first place (performance.md §2.2).
 */
export function chooseLane(reply: EngineReply): 'bytes' | 'events' {
  return reply.kind === 'bytes' && reply.contentType === 'text/event-stream' ? 'bytes' : 'events'
}
