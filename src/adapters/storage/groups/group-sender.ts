import { StoreUnavailable } from '../../../core/store-error.ts'
import type { OperationQueue, QueuedOperation } from './operation-queue.ts'
import type { Operation, OperationResult } from './operations.ts'
import { unpackError } from './unpack-error.ts'

/** Where groups are run: a worker thread, or the same code in this thread for tests. */
export interface GroupChannel {
  /** Resolves after the commit, with results in the group's order. Rejects when the channel is lost for good. */
  run(group: readonly Operation[]): Promise<readonly OperationResult[]>
  close(): Promise<void>
}

export interface GroupSender {
  /** The operations that are under way. */
  readonly sent: readonly QueuedOperation[]
  /** True while a kept operation is not durable although it was tried. */
  readonly isStuck: boolean
  /** Sends what the queue holds, soon: with everything else that is asked in this turn of the event loop. */
  schedule(): void
}

export interface GroupSenderParts {
  readonly channel: GroupChannel
  readonly queue: OperationQueue
  /** Told of an operation that succeeded after its caller had given up. */
  readonly onLate: (operation: Operation, value: unknown) => void
  /** Told when kept operations cannot be written, and when all of them are again. */
  readonly onStuck: (stuck: boolean) => void
  readonly onIdle: () => void
  readonly onLost: (cause: unknown) => void
}

const groupMax = 256
const retryMsMin = 50
const retryMsMax = 1_000

/** Keeps one group under way, and tries kept operations again until they are durable. */
export function createGroupSender(parts: GroupSenderParts): GroupSender {
  const { channel, queue, onStuck, onIdle, onLost } = parts
  let sent: readonly QueuedOperation[] = []
  let sending = false
  let retryMs = 0

  function schedule(): void {
    if (sending || queue.length === 0) return
    sending = true
    if (retryMs > 0) setTimeout(send, retryMs)
    else setImmediate(send)
  }

  function send(): void {
    sent = queue.take(groupMax)
    if (sent.length === 0) sending = false
    else channel.run(sent.map(queued => queued.operation)).then(receive, onLost)
  }

  function receive(results: readonly OperationResult[]): void {
    const group = sent
    sent = []
    sending = false
    putBack(group.filter((queued, index) => !finish(queued, results[index], parts.onLate)))
    if (queue.length === 0) onIdle()
    schedule()
  }

  function putBack(retried: readonly QueuedOperation[]): void {
    const stuck = retried.length > 0
    if (stuck !== retryMs > 0) onStuck(stuck)
    retryMs = stuck ? Math.min(Math.max(retryMs * 2, retryMsMin), retryMsMax) : 0
    queue.putBack(retried)
  }

  return {
    get sent() {
      return sent
    },
    get isStuck() {
      return retryMs > 0
    },
    schedule,
  }
}

/** Tells the caller its result. False when the operation has to be tried again instead. */
function finish(
  queued: QueuedOperation,
  result: OperationResult | undefined,
  onLate: GroupSenderParts['onLate'],
): boolean {
  if (result === undefined) queued.reject(new StoreUnavailable('the store gave no answer'))
  else if ('error' in result) {
    if (queued.keep && result.error.name === 'StoreUnavailable') return false
    queued.reject(unpackError(result.error))
  } else if (queued.gaveUp) onLate(queued.operation, result.value)
  else queued.resolve(result.value)
  return true
}
