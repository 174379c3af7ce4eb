import type { Clock } from '../../core/clock.ts'
import type { Logger } from '../../core/logger.ts'
import type { Timers } from '../../core/timers.ts'
import type { Engine } from './engine.ts'
import { isNodeFault, isUnreachable } from './judge-answer.ts'
import { createNodeHealth, faultsToEject, type NodeHealth } from './node-health.ts'
import { createMedianRate, type MedianRate } from './node-median-rate.ts'
import { createSlots, type Slots } from './node-slots.ts'
import type { EngineFault, NodeView } from './types.ts'

/** Calls that may wait for one node, and for how long: after that, being told to come back is kinder than more waiting. */
const queueMax = 1_024
const queueWaitMs = 10_000

export interface NodeContext {
  readonly clock: Clock
  readonly logger: Logger
  readonly timers: Timers
  /** Whether one more node may be ejected; asked at that moment. */
  readonly mayEject: () => boolean
}

/** One engine with all that is known of it while it serves. */
export interface EngineNode {
  readonly engine: Engine
  readonly slots: Slots
  readonly health: NodeHealth
  readonly rate: MedianRate
  /** Takes no new calls. */
  readonly draining: boolean
  /** Monotonic time of the last sign of life or of its absence. */
  readonly lastSeenMs: number
  /** The last failure was that the node could not be reached. */
  readonly unreachable: boolean
  /** Good enough to call the gateway ready. */
  readonly isUsable: boolean
  /** Takes it out of service or back; those who wait for a place on it are sent on. */
  drain(draining: boolean): void
  /** Takes it out of service for good; those who wait for a place on it still get theirs. */
  leave(): void
  began(): void
  /** It accepted a call, or refused it for a reason of the caller. */
  answered(): void
  /** It answered to the end. */
  finished(): void
  failed(fault: EngineFault): void
  failedWith(status: number): void
  /** Its configuration is ours to mend: says so once, until the node works again. */
  misconfigured(status: number): void
  overloaded(retryAfterMs: number | null): void
  abandoned(): void
  /** What a health question brought: null for an answer. */
  probed(fault: EngineFault | null): void
  view(): NodeView
}

export function createNode(engine: Engine, context: NodeContext): EngineNode {
  const { clock, logger, timers } = context
  const health = createNodeHealth()
  const slots = createSlots({ limit: () => engine.maxConcurrency, queueMax, waitMs: queueWaitMs, timers })
  let lastSeenMs = clock.monotonic()
  let unreachable = false
  let everAnswered = false
  let alarmed = false
  let draining = false
  const isStaged = engine.stagesFaults === true

  function noteFailure(reason: string, isOutOfReach: boolean): void {
    lastSeenMs = clock.monotonic()
    if (isStaged) {
      health.abandoned()
      return
    }
    unreachable = isOutOfReach
    const ejected = health.failed(lastSeenMs, { reason, mayEject: context.mayEject() })
    if (ejected) logger.warn('engine.ejected', { node: engine.id, reason, ms: health.ejectedForMs(lastSeenMs) })
  }

  function noteAnswer(recovered: boolean): void {
    lastSeenMs = clock.monotonic()
    unreachable = false
    everAnswered = true
    if (recovered) logger.info('engine.recovered', { node: engine.id })
  }

  const node: EngineNode = {
    engine,
    slots,
    health,
    rate: createMedianRate(),
    get draining() {
      return draining
    },
    get lastSeenMs() {
      return lastSeenMs
    },
    get unreachable() {
      return unreachable
    },
    get isUsable() {
      const faultsMax = everAnswered ? faultsToEject : 1
      return !draining && !health.isEjected && health.faultsInARow < faultsMax
    },
    drain(isDraining) {
      draining = isDraining
      if (draining) slots.turnAway()
    },
    leave() {
      draining = true
    },
    began: () => health.begin(clock.monotonic()),
    answered: () => noteAnswer(health.passed(clock.monotonic())),
    finished() {
      alarmed = false
      noteAnswer(health.succeeded(clock.monotonic()))
    },
    failed(fault) {
      if (isNodeFault(fault)) noteFailure(fault.kind, isUnreachable(fault))
      else health.abandoned()
    },
    failedWith: status => noteFailure(`http_${status}`, false),
    misconfigured(status) {
      if (!alarmed && !isStaged) logger.error('engine.misconfigured', { node: engine.id, status })
      alarmed = true
      noteFailure(`http_${status}`, false)
    },
    overloaded(retryAfterMs) {
      lastSeenMs = clock.monotonic()
      if (isStaged) health.abandoned()
      else health.overloaded(lastSeenMs, retryAfterMs)
    },
    abandoned: () => health.abandoned(),
    probed(fault) {
      const nowMs = clock.monotonic()
      const isOut = health.standing(nowMs) === 'ejected'
      if (fault !== null) {
        lastSeenMs = nowMs
        if (!isOut) noteFailure(fault.kind, isUnreachable(fault))
      } else if (unreachable) noteAnswer(health.succeeded(nowMs))
      else if (!isOut) noteAnswer(health.passed(nowMs))
    },
    view: () => ({
      id: engine.id,
      kind: engine.kind,
      baseUrl: engine.baseUrl,
      state: stateOf(node),
      inFlight: slots.taken,
      queued: slots.queued,
      lastError: health.lastError,
    }),
  }
  return node
}

function stateOf({ draining, health, isUsable }: EngineNode): NodeView['state'] {
  if (draining) return 'draining'
  if (health.isOnTrial) return 'probing'
  if (health.isEjected) return 'ejected'
  return isUsable ? 'healthy' : 'failing'
}
