import type { ServedBy } from '../../core/model.ts'
import type { EngineNode } from './node.ts'
import { orderNodes } from './node-order.ts'
import { affinityScore } from './rendezvous.ts'
import { EngineFault } from './types.ts'

export interface Candidate {
  readonly node: EngineNode
  readonly served: ServedBy
}

export interface Choice {
  readonly candidates: readonly Candidate[]
  readonly nowMs: number
  /** A number in [0, 1), drawn only when there is a choice. */
  readonly chance: () => number
  /** Calls with one affinity meet the same node while it has room; null for calls that belong nowhere. */
  readonly affinity: string | null
}

/**
 * Takes a place on the best node that has one, or waits for one on the best node. Ejected nodes are asked only when all
 * others have been. Null when there is no node, every queue is full or the wait was too long.
 * @throws EngineFault aborted
 */
export async function takeNode(choice: Choice, signal: AbortSignal): Promise<Candidate | null> {
  const [only, ...others] = choice.candidates
  if (only !== undefined && others.length === 0 && only.served.weight > 0 && only.node.slots.tryTake()) return only
  const ordered = orderNodes(
    choice.candidates.map(candidate => loadOf(candidate, choice.nowMs)),
    choice.chance(),
    scorer(choice.affinity),
  )
  const inService = ordered.filter(({ standing }) => standing !== 'ejected')
  const asked = inService.length > 0 ? inService : ordered
  const free = asked.find(({ candidate }) => candidate.node.slots.tryTake())
  if (free !== undefined) return free.candidate
  return waitForNode(
    asked.map(({ candidate }) => candidate),
    signal,
  )
}

function loadOf(candidate: Candidate, nowMs: number) {
  const { slots, health } = candidate.node
  return {
    candidate,
    standing: health.standing(nowMs),
    weight: candidate.served.weight,
    busy: slots.taken + slots.queued,
    hasRoom: slots.hasRoom,
    ejectedForMs: health.ejectedForMs(nowMs),
    faultsInARow: health.faultsInARow,
  }
}

function scorer(affinity: string | null) {
  if (affinity === null) return null
  return ({ candidate: { node, served } }: { readonly candidate: Candidate }) =>
    affinityScore(affinity, node.engine.id, served.weight)
}

async function waitForNode(candidates: readonly Candidate[], signal: AbortSignal): Promise<Candidate | null> {
  for (const candidate of candidates) {
    try {
      await candidate.node.slots.take(signal)
      return candidate
    } catch (error) {
      if (!(error instanceof EngineFault) || error.kind === 'aborted') throw error
      if (error.kind === 'queue_timeout') return null
    }
  }
  return null
}
