import type { Operation } from './operations.ts'

/** An operation and who waits for it. */
export interface QueuedOperation {
  operation: Operation
  readonly keep: boolean
  readonly replaces: string | null
  /** On the monotonic clock; Infinity for kept operations. */
  readonly deadlineAtMs: number
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  /** True when the caller was told that it waited long enough. */
  gaveUp: boolean
}

export function createQueuedOperation(
  operation: Operation,
  options: Pick<QueuedOperation, 'keep' | 'replaces' | 'deadlineAtMs'>,
): QueuedOperation {
  let settle: Pick<QueuedOperation, 'resolve' | 'reject'> | undefined
  const promise = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject }
  })
  if (settle === undefined) throw new Error('a promise runs its executor at once')
  const { keep, replaces, deadlineAtMs } = options
  const { resolve, reject } = settle
  return { operation, keep, replaces, deadlineAtMs, promise, resolve, reject, gaveUp: false }
}

export interface OperationQueue {
  readonly length: number
  /** The waiting operation of that name, which may still be replaced. */
  replaceable(name: string): QueuedOperation | undefined
  /** False when the queue is full. Kept operations always find room: they are bounded by the holds there are. */
  add(queued: QueuedOperation): boolean
  /** Back to the front, in the order given. */
  putBack(queued: readonly QueuedOperation[]): void
  /** Takes the next group, at most `groupMax`. */
  take(groupMax: number): QueuedOperation[]
  /** Takes out all that the condition holds for. */
  remove(condition: (queued: QueuedOperation) => boolean): QueuedOperation[]
}

const operationsMax = 10_000

export function createOperationQueue(): OperationQueue {
  let waiting: QueuedOperation[] = []
  const named = new Map<string, QueuedOperation>()
  const forgetName = (queued: QueuedOperation) => {
    if (queued.replaces !== null && named.get(queued.replaces) === queued) named.delete(queued.replaces)
  }

  return {
    get length() {
      return waiting.length
    },
    replaceable: name => named.get(name),
    add(queued) {
      if (!queued.keep && waiting.length >= operationsMax) return false
      waiting.push(queued)
      if (queued.replaces !== null) named.set(queued.replaces, queued)
      return true
    },
    putBack(queued) {
      waiting = [...queued, ...waiting]
    },
    take(groupMax) {
      const group = waiting.splice(0, groupMax)
      for (const queued of group) forgetName(queued)
      return group
    },
    remove(condition) {
      const removed = waiting.filter(condition)
      if (removed.length === 0) return removed
      waiting = waiting.filter(queued => !condition(queued))
      for (const queued of removed) forgetName(queued)
      return removed
    },
  }
}
