import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/logger.ts'
import type { ServedBy } from '../../core/model.ts'
import type { Random } from '../../core/random.ts'
import type { Timers } from '../../core/timers.ts'
import type { CallContext } from './call-course.ts'
import type { Engine } from './engine.ts'
import type { EngineRequest, EngineRun } from './engine-run.ts'
import { createNode, type EngineNode } from './node.ts'
import { startProbing } from './probe-nodes.ts'
import { createRetryBudget } from './retry-budget.ts'
import { runCall } from './run-call.ts'
import type { NodeView } from './types.ts'

export { type EngineRequest, type EngineRun, EnginesFailure } from './engine-run.ts'

/** Of a model that no known node serves: the contract's usual limits (reliability.md §6.6). */
const totalMsUsual = 540_000
const streamTotalMsUsual = 1_800_000

/** Until a node has finished an answer, it is taken to generate this many tokens per second. */
const unmeasuredTokensPerSecond = 20

export interface EnginesOptions {
  readonly engines: readonly Engine[]
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly timers: Timers
}

/** Who answers: the nodes, their health, and the way of a call from one to the next. */
export interface Engines {
  /** @throws EnginesFailure when no node answered, the engine refused the request, or the signal aborted */
  run<Value>(request: EngineRequest<Value>): Promise<EngineRun<Value>>
  /** The longest that any of these nodes may take for an answer, in milliseconds. */
  totalMs(served: readonly ServedBy[], stream: boolean): number
  /** The median of the node's latest answers. */
  medianTokensPerSecond(nodeId: string): number
  views(): NodeView[]
  /** Whether at least one node takes calls and does not fail them all. */
  hasUsableNode(): boolean
  /**
   * Lets these nodes, known now or later, finish what they do, and gives them nothing more; calls that wait for one go on
   * to another. Nodes that are not among them any more are in service again.
   */
  setDrained(nodeIds: ReadonlySet<string>): void
  /** Takes over another set of nodes. An engine that is in both keeps its place; one that left ends its running calls. */
  replace(engines: readonly Engine[]): void
  /** Watches nodes that are out or quiet, until the returned function is called. */
  startProbing(): () => void
  /** Closes all engines, running calls included. */
  close(): Promise<void>
}

export function createEngines({ engines, clock, random, logger, timers }: EnginesOptions): Engines {
  const nodes = new Map<string, EngineNode>()
  const leaving = new Set<EngineNode>()
  let drained: ReadonlySet<string> = new Set()

  /** At most half of the nodes are left out, so that a fault of ours or of the network does not leave out all. */
  function mayEject(): boolean {
    const serving = [...nodes.values()].filter(node => !node.draining)
    const ejected = serving.filter(node => node.health.isEjected).length
    return ejected < Math.floor(serving.length / 2)
  }

  function countActive(): number {
    return [...nodes.values(), ...leaving].reduce((sum, { slots }) => sum + slots.taken + slots.queued, 0)
  }

  function closeIfIdle(node: EngineNode): void {
    if (!leaving.has(node) || node.slots.taken + node.slots.queued > 0) return
    leaving.delete(node)
    node.engine.close().catch((error: unknown) => logger.warn('engine.close_failed', { node: node.engine.id, error }))
  }

  const context: CallContext = {
    clock,
    logger,
    timers,
    findNode: engineId => nodes.get(engineId),
    retries: createRetryBudget({ active: countActive, timers }),
    chance: () => random.bytes(4).readUInt32LE() / 2 ** 32,
    onDone: closeIfIdle,
  }

  function replace(next: readonly Engine[]): void {
    const kept = new Map(next.map(engine => [engine.id, engine]))
    for (const [id, node] of nodes) {
      if (kept.get(id) === node.engine) continue
      nodes.delete(id)
      node.leave()
      leaving.add(node)
      closeIfIdle(node)
    }
    for (const engine of kept.values()) {
      if (nodes.has(engine.id)) continue
      const node = createNode(engine, { clock, logger, timers, mayEject })
      node.drain(drained.has(engine.id))
      nodes.set(engine.id, node)
    }
  }

  function setDrained(nodeIds: ReadonlySet<string>): void {
    drained = nodeIds
    for (const [id, node] of nodes) {
      const isDrained = nodeIds.has(id)
      if (node.draining === isDrained) continue
      node.drain(isDrained)
      if (isDrained) logger.info('engine.draining', { node: id })
      else logger.info('engine.resumed', { node: id })
    }
  }

  replace(engines)
  return {
    run: request => runCall(context, request),
    totalMs: (served, stream) =>
      longest(
        served.map(({ engineId }) => nodes.get(engineId)?.engine),
        stream,
      ),
    medianTokensPerSecond: nodeId => nodes.get(nodeId)?.rate.median() ?? unmeasuredTokensPerSecond,
    views: () => [...nodes.values()].map(node => node.view()),
    hasUsableNode: () => [...nodes.values()].some(node => node.isUsable),
    setDrained,
    replace,
    startProbing: () => startProbing({ clock, timers, nodes: () => nodes.values() }),
    async close() {
      const all = [...nodes.values(), ...leaving]
      nodes.clear()
      leaving.clear()
      await Promise.all(all.map(({ engine }) => engine.close()))
    },
  }
}

function longest(engines: readonly (Engine | undefined)[], stream: boolean): number {
  const limits = engines
    .filter(engine => engine !== undefined)
    .map(engine => (stream ? engine.streamTotalMs : engine.totalMs))
  return limits.length > 0 ? Math.max(...limits) : stream ? streamTotalMsUsual : totalMsUsual
}
