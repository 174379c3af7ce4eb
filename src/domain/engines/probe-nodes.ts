import type { Clock } from '../../core/clock.ts'
import type { Timers } from '../../core/timers.ts'
import { createFault } from './create-fault.ts'
import type { EngineNode } from './node.ts'
import { EngineFault } from './types.ts'

/** How often nodes are looked over. */
const tickMs = 5_000

/** A node in good standing that nobody asked for so long is asked for a sign of life. */
const quietMs = 30_000

const probeMs = 5_000
const probesMax = 8

export interface ProbeContext {
  readonly clock: Clock
  readonly timers: Timers
  readonly nodes: () => Iterable<EngineNode>
}

/**
 * Asks nodes that are out, and nodes that nobody asks, for a cheap sign of life, beginning now. At most one question per
 * node and eight in all are open at a time. Returns what stops it.
 */
export function startProbing({ clock, timers, nodes }: ProbeContext): () => void {
  const open = new Map<EngineNode, AbortController>()
  let stopTimer = (): void => undefined
  let stopped = false

  async function probe(node: EngineNode): Promise<void> {
    const abort = new AbortController()
    open.set(node, abort)
    const stopLimit = timers.after(probeMs, () => abort.abort())
    const fault = await askNode(node, abort.signal)
    stopLimit()
    open.delete(node)
    if (!stopped) node.probed(fault)
  }

  function isDue(node: EngineNode): boolean {
    if (node.draining || open.has(node)) return false
    // A node that still loads its model may be all that the gateway waits for to be ready.
    return !node.isUsable || node.unreachable || clock.monotonic() - node.lastSeenMs >= quietMs
  }

  function tick(first: boolean): void {
    for (const node of nodes()) {
      if (open.size < probesMax && (first || isDue(node))) void probe(node)
    }
    stopTimer = timers.after(tickMs, () => tick(false))
  }

  tick(true)
  return () => {
    stopped = true
    stopTimer()
    for (const abort of open.values()) abort.abort()
  }
}

/** The fault that a health question ended with; null for an answer. */
async function askNode({ engine }: EngineNode, signal: AbortSignal): Promise<EngineFault | null> {
  try {
    await engine.probe(signal)
    return null
  } catch (error) {
    if (signal.aborted) return createFault('first_byte_timeout')
    return error instanceof EngineFault ? error : createFault('bad_answer', { cause: error })
  }
}
