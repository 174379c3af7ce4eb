import { createHash } from 'node:crypto'

/** So much of the hash is a number that JavaScript holds exactly. */
const hashBytes = 6
const hashRange = 2 ** (8 * hashBytes)

/** A node may be so much busier than the mean, and one call more, before calls that belong to it go elsewhere. */
const busyFactor = 1.25
const busySlack = 1

/**
 * How strongly a key belongs to a node: weighted rendezvous hashing, the highest score first. The scores of one pair
 * depend on nothing else, so that only the keys of a node that leaves find a new one, and each node gets the share of
 * keys that its weight is of all weights. `weight` is above 0.
 */
export function affinityScore(key: string, nodeId: string, weight: number): number {
  const hash = createHash('sha256').update(`${key.length}:${key}${nodeId}`).digest().readUIntBE(0, hashBytes)
  return weight / -Math.log((hash + 0.5) / hashRange)
}

/**
 * Parts nodes into those that may take calls of their own keys and those that have more to do than the others: a warm
 * cache is not worth a queue.
 */
export function splitByLoad<Node extends { readonly busy: number }>(nodes: readonly Node[]): [Node[], Node[]] {
  const mean = nodes.reduce((sum, { busy }) => sum + busy, 0) / nodes.length
  const busyMax = busyFactor * mean + busySlack
  return [nodes.filter(({ busy }) => busy <= busyMax), nodes.filter(({ busy }) => busy > busyMax)]
}
