import type { EngineReply } from '../../domain/engines/types.ts'

/**
 * Bytes where only id, model, usage and cost change; events where content must be understood, or where an engine gives
 * events in the first place (performance.md §2.2).
 */
export function chooseLane(reply: EngineReply, isUnderstood: boolean): 'bytes' | 'events' {
  const isStreamOfBytes = reply.kind === 'bytes' && reply.contentType === 'text/event-stream'
  return isStreamOfBytes && !isUnderstood ? 'bytes' : 'events'
}
