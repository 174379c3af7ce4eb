import type { Clock } from '../../../core/clock.ts'
import { StoreUnavailable } from '../../../core/store-error.ts'
import { createDeadlineWatch } from './deadline-watch.ts'
import { createGroupSender, type GroupChannel, type GroupSender } from './group-sender.ts'
import { createOperationQueue, createQueuedOperation, type QueuedOperation } from './operation-queue.ts'
import type { Operation, OperationValues } from './operations.ts'

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
  /** True while a kept operation cannot be written, or a group gets no answer: an admission would not fare better. */
  readonly isHopeless: boolean
  /** Waits, within a bound, for what was accepted, then closes the channel. */
  close(): Promise<void>
}

export interface GroupClientParts {
  readonly channel: GroupChannel
  readonly clock: Pick<Clock, 'monotonic'>
  /** False while nothing may be admitted for reasons of another client's. */
  readonly mayAdmit?: () => boolean
  /** Told of an operation that succeeded after its caller had given up. */
  readonly onLate?: (operation: Operation, value: unknown) => void
  /** Told when kept operations cannot be written, and when all of them are again. */
  readonly onStuck?: (stuck: boolean) => void
}

const waitMsDefault = 10_000
const closeWaitMs = 5_000

/**
 * Sends what is asked within one turn of the event loop as one group, and the next group when the answer is there: at
 * once when idle, in growing groups under load (group commit, performance.md §2.5).
 */
export function createGroupClient(parts: GroupClientParts): GroupClient {
  const { channel, clock, mayAdmit = always, onLate = ignore, onStuck = ignore } = parts
  const queue = createOperationQueue()
  let ended: StoreUnavailable | null = null
  let closing = false
  let whenIdle: () => void = ignore

  const sender = createGroupSender({
    channel,
    queue,
    onLate,
    onStuck(stuck) {
      if (stuck) rejectAll(queue.remove(isAdmission), unwritableError())
      onStuck(stuck)
    },
    onIdle: () => whenIdle(),
    onLost: cause => end(new StoreUnavailable('the store was lost', { cause })),
  })
  const deadlines = createDeadlineWatch({ queue, sender, clock })

  function end(error: StoreUnavailable): void {
    ended = error
    rejectAll([...sender.sent, ...queue.remove(() => true)], error)
    whenIdle()
  }

  function refusalFor(operation: Operation): StoreUnavailable | null {
    if (ended !== null) return ended
    if (closing) return closedError()
    return operation.kind === 'admit' && (isHopeless(sender) || !mayAdmit()) ? unwritableError() : null
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
    const queued = createQueuedOperation(operation, { keep, replaces: replaces ?? null, deadlineAtMs })
    if (!queue.add(queued)) return Promise.reject(new StoreUnavailable('too much waits for the store'))
    sender.schedule()
    deadlines.start()
    return queued.promise
  }

  return {
    // The channel answers each kind of operation with its own kind of value; the compiler cannot see that across threads.
    run: (operation, options = {}) => enqueue(operation, options) as Promise<never>,
    get isHopeless() {
      return isHopeless(sender)
    },
    async close() {
      closing = true
      const isBusy = queue.length > 0 || sender.sent.length > 0
      if (isBusy) await within(closeWaitMs, resolve => (whenIdle = resolve))
      end(closedError())
      await channel.close()
    },
  }
}

function isHopeless({ isStuck, sent }: GroupSender): boolean {
  return isStuck || sent.some(queued => queued.gaveUp)
}

function isAdmission({ operation }: QueuedOperation): boolean {
  return operation.kind === 'admit'
}

function rejectAll(operations: readonly QueuedOperation[], error: StoreUnavailable): void {
  for (const queued of operations) queued.reject(error)
}

function closedError(): StoreUnavailable {
  return new StoreUnavailable('the store is closed')
}

function unwritableError(): StoreUnavailable {
  return new StoreUnavailable('the ledger cannot be written now')
}

/** Resolves when the resolver that it hands out is called, or when the time is over. */
function within(ms: number, handOut: (resolve: () => void) => void): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    handOut(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function always(): boolean {
  return true
}

function ignore(): void {
  // Nobody asked to be told.
}
