import type { Clock } from '../../../../core/clock.ts'
import { StoreUnavailable } from '../../../../core/store-error.ts'
import { unpackError } from '../packed-error.ts'
import type { Operation, OperationResult, OperationValues } from '../protocol.ts'
import { createOperationQueue, type QueuedOperation } from './operation-queue.ts'

/** Where groups are run: a worker thread, or the same code in this thread for tests. */
export interface GroupChannel {
  /** Resolves after the commit, with results in the group's order. Rejects when the channel is lost for good. */
  run(group: readonly Operation[]): Promise<readonly OperationResult[]>
  close(): Promise<void>
}

export interface RunOptions {
  /** How long the caller waits, in milliseconds; what comes later is told to `onLate`. Kept operations wait for ever. */
  readonly waitMs?: number
  /** Kept and tried again until it is durable; while one of those is stuck, nothing is admitted (money.md §2). */
  readonly keep?: boolean
  /** A later operation under the same name replaces one that was not sent yet, and shares its promise. */
  readonly replaces?: string
}

export interface GroupClient {
  /** Rejects with what the operation refused, or with StoreUnavailable when nothing happened or nobody knows. */
  run<K extends Operation['kind']>(
    operation: Extract<Operation, { readonly kind: K }>,
    options?: RunOptions,
  ): Promise<OperationValues[K]>
  /** Waits, within a bound, for what was accepted, then closes the channel. */
  close(): Promise<void>
}

export interface GroupClientParts {
  readonly channel: GroupChannel
  readonly clock: Pick<Clock, 'monotonic'>
  /** Told of an operation that succeeded after its caller had given up. */
  readonly onLate?: (operation: Operation, value: unknown) => void
  /** Told when kept operations cannot be written, and when all of them are again. */
  readonly onStuck?: (stuck: boolean) => void
}

const groupMax = 256
const waitMsDefault = 10_000
const retryMsMin = 50
const retryMsMax = 2_000
const deadlineCheckMs = 100
const closeWaitMs = 5_000

/**
 * Sends what is asked within one turn of the event loop as one group, and the next group when the answer is there: at
 * once when idle, in growing groups under load (group commit, performance.md §2.5).
 */
export function createGroupClient({ channel, clock, onLate, onStuck }: GroupClientParts): GroupClient {
  const queue = createOperationQueue()
  let sent: readonly QueuedOperation[] = []
  let sending = false
  let retryMs = 0
  let deadlineTimer: NodeJS.Timeout | null = null
  let closing = false
  let ended: StoreUnavailable | null = null
  let whenIdle: () => void = () => undefined

  /** True while a kept operation is not durable although it was tried, or a group gets no answer. */
  const isStuck = () => retryMs > 0 || sent.some(queued => queued.gaveUp)

  function schedule(): void {
    if (sending || queue.length === 0) return
    sending = true
    if (retryMs > 0) setTimeout(send, retryMs)
    else setImmediate(send)
  }

  function send(): void {
    sent = queue.take(groupMax)
    if (sent.length === 0) {
      sending = false
      return
    }
    const answered = channel.run(sent.map(queued => queued.operation))
    answered.then(receive, (cause: unknown) => endWith(new StoreUnavailable('the store was lost', { cause })))
  }

  function receive(results: readonly OperationResult[]): void {
    const group = sent
    sent = []
    sending = false
    const retried = group.filter((queued, index) => !finish(queued, results[index]))
    putBack(retried)
    if (queue.length === 0) whenIdle()
    schedule()
  }

  /** False when the operation has to be tried again. */
  function finish(queued: QueuedOperation, result: OperationResult | undefined): boolean {
    if (result === undefined) queued.reject(new StoreUnavailable('the store gave no answer'))
    else if ('error' in result) {
      if (queued.keep && result.error.name === 'StoreUnavailable') return false
      queued.reject(unpackError(result.error))
    } else if (queued.gaveUp) onLate?.(queued.operation, result.value)
    else queued.resolve(result.value)
    return true
  }

  function putBack(retried: readonly QueuedOperation[]): void {
    const stuck = retried.length > 0
    if (stuck !== retryMs > 0) onStuck?.(stuck)
    retryMs = stuck ? Math.min(Math.max(retryMs * 2, retryMsMin), retryMsMax) : 0
    if (stuck) refuseAdmissions()
    queue.putBack(retried)
  }

  function refuseAdmissions(): void {
    for (const queued of queue.remove(({ operation }) => operation.kind === 'admit')) queued.reject(stuckError())
  }

  function checkDeadlines(): void {
    const nowMs = clock.monotonic()
    const isOver = (queued: QueuedOperation) => nowMs >= queued.deadlineAtMs
    for (const queued of queue.remove(isOver)) queued.reject(new StoreUnavailable('the store did not answer in time'))
    for (const queued of sent.filter(isOver)) {
      queued.gaveUp = true
      queued.reject(new StoreUnavailable('the store did not answer in time'))
    }
    deadlineTimer = null
    watchDeadlines()
  }

  function watchDeadlines(): void {
    if (deadlineTimer !== null || (queue.length === 0 && sent.length === 0)) return
    deadlineTimer = setTimeout(checkDeadlines, deadlineCheckMs)
    deadlineTimer.unref()
  }

  function endWith(error: StoreUnavailable): void {
    ended = error
    for (const queued of [...sent, ...queue.remove(() => true)]) queued.reject(error)
    sent = []
    whenIdle()
  }

  function enqueue(operation: Operation, { waitMs = waitMsDefault, keep = false, replaces }: RunOptions) {
    const refusal = refusalFor(operation)
    if (refusal !== null) return Promise.reject(refusal)
    const waiting = replaces === undefined ? undefined : queue.replaceable(replaces)
    if (waiting !== undefined) {
      waiting.operation = operation
      return waiting.promise
    }
    const deadlineAtMs = keep ? Number.POSITIVE_INFINITY : clock.monotonic() + waitMs
    const { promise, resolve, reject } = withResolvers()
    const queued = {
      operation,
      keep,
      replaces: replaces ?? null,
      deadlineAtMs,
      promise,
      resolve,
      reject,
      gaveUp: false,
    }
    if (!queue.add(queued)) return Promise.reject(new StoreUnavailable('too much waits for the store'))
    schedule()
    watchDeadlines()
    return promise
  }

  function refusalFor(operation: Operation): StoreUnavailable | null {
    if (ended !== null) return ended
    if (closing) return closedError()
    return operation.kind === 'admit' && isStuck() ? stuckError() : null
  }

  return {
    // The channel answers each kind of operation with its own kind of value; the compiler cannot see that across threads.
    run: (operation, options = {}) => enqueue(operation, options) as Promise<never>,
    async close() {
      closing = true
      const idle = new Promise<void>(resolve => {
        whenIdle = resolve
      })
      if (queue.length === 0 && sent.length === 0) whenIdle()
      await within(closeWaitMs, idle)
      endWith(closedError())
      await channel.close()
    },
  }
}

function closedError(): StoreUnavailable {
  return new StoreUnavailable('the store is closed')
}

function stuckError(): StoreUnavailable {
  return new StoreUnavailable('the ledger cannot be written now')
}

interface Resolvers {
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

function withResolvers(): Resolvers {
  let settle: Pick<Resolvers, 'resolve' | 'reject'> | undefined
  const promise = new Promise<unknown>((resolve, reject) => {
    settle = { resolve, reject }
  })
  if (settle === undefined) throw new Error('a promise runs its executor at once')
  return { promise, ...settle }
}

async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>(resolve => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([promise, timeout])
  clearTimeout(timer)
}
