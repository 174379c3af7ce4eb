import type { Engine } from './engine.ts'
import { type EngineCall, EngineFault, type EngineReply } from './types.ts'

/**
 * A kept connection that the node had closed in the meantime says nothing about the node: once more, on another one. Only
 * when nothing at all came back, so that no work is done twice.
 */
export async function openFresh(engine: Engine, call: EngineCall, signal: AbortSignal): Promise<EngineReply> {
  try {
    return await engine.open(call, signal)
  } catch (error) {
    if (error instanceof EngineFault && error.staleConnection) return engine.open(call, signal)
    throw error
  }
}
