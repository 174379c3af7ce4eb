import type { Standing } from './node-health.ts'
import { splitByLoad } from './rendezvous.ts'

/** What the order of nodes is decided by. */
export interface NodeLoad {
  readonly standing: Standing
  /** The operator's share, at least 0; a node with 0 is never asked. */
  readonly weight: number
  /** Calls running on the node and waiting for it. */
  readonly busy: number
  readonly hasRoom: boolean
  readonly ejectedForMs: number
  readonly faultsInARow: number
}

/**
 * In which order the nodes of a model are asked. Ranks come first: nodes with room, full nodes, nodes that said they are
 * overloaded; ejected ones last, the least bad before the others, so that a call is tried even when all are out.
 * Within a rank the draw is by weight ÷ (busy + 1)² ÷ (faults + 1): the operator's shares while it is quiet, the idle node
 * under load, and not the one that is idle because it fails at once.
 *
 * `chance` is in [0, 1) and decides the whole order: what one draw leaves of it is again uniform. With `affinity` the
 * nodes with room come by it, the highest first, but for those that are too busy: they follow as they are drawn.
 */
export function orderNodes<Node extends NodeLoad>(
  nodes: readonly Node[],
  chance: number,
  affinity: ((node: Node) => number) | null = null,
): Node[] {
  const usable = nodes.filter(node => node.weight > 0)
  if (usable.length < 2) return usable
  const ranks: Node[][] = [[], [], [], []]
  for (const node of usable) ranks[rankOf(node)]?.push(node)
  const [withRoom = [], full = [], overloaded = [], ejected = []] = ranks
  ejected.sort((left, right) => left.ejectedForMs - right.ejectedForMs || left.faultsInARow - right.faultsInARow)
  const first = affinity === null ? drawAll(withRoom, chance) : orderByAffinity(withRoom, chance, affinity)
  return [...first, ...drawAll(full, chance), ...drawAll(overloaded, chance), ...ejected]
}

function orderByAffinity<Node extends NodeLoad>(
  nodes: readonly Node[],
  chance: number,
  affinity: (node: Node) => number,
): Node[] {
  const [welcoming, busy] = splitByLoad(nodes)
  const scored = welcoming.map(node => ({ node, score: affinity(node) }))
  scored.sort((left, right) => right.score - left.score)
  return [...scored.map(({ node }) => node), ...drawAll(busy, chance)]
}

function rankOf({ standing, hasRoom }: NodeLoad): 0 | 1 | 2 | 3 {
  if (standing === 'ejected') return 3
  if (standing === 'overloaded') return 2
  return hasRoom ? 0 : 1
}

function drawAll<Node extends NodeLoad>(nodes: readonly Node[], chance: number): Node[] {
  const left = [...nodes]
  const drawn: Node[] = []
  let rest = chance
  while (left.length > 1) {
    const pick = drawOne(left, rest)
    drawn.push(...left.splice(pick.index, 1))
    rest = pick.rest
  }
  return [...drawn, ...left]
}

function drawOne(nodes: readonly NodeLoad[], chance: number): { index: number; rest: number } {
  const shares = nodes.map(shareOf)
  const point = chance * shares.reduce((sum, share) => sum + share, 0)
  let start = 0
  for (const [index, share] of shares.entries()) {
    // Rounding may leave the point at the very end: then the last node is meant.
    if (point < start + share || index === shares.length - 1) return { index, rest: clamp((point - start) / share) }
    start += share
  }
  return { index: 0, rest: chance }
}

function shareOf({ weight, busy, faultsInARow }: NodeLoad): number {
  return weight / ((busy + 1) ** 2 * (faultsInARow + 1))
}

/** Into [0, 1): the largest number below 1 for anything that rounding pushed out. */
function clamp(value: number): number {
  return Math.min(Math.max(value, 0), 1 - Number.EPSILON)
}
