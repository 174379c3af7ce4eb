import type { Clock } from '../../../core/clock.ts'
import { StoreUnavailable } from '../../../core/store-error.ts'
import type { GroupSender } from './group-sender.ts'
import type { OperationQueue, QueuedOperation } from './operation-queue.ts'

const checkMs = 100

/**
 * Tells callers when they waited long enough. One timer for all of them, and only while somebody waits: a timer per
 * operation would cost more than the operation does.
 */
export function createDeadlineWatch({ queue, sender, clock }: DeadlineWatchParts): { start(): void } {
  let timer: NodeJS.Timeout | null = null

  function start(): void {
    if (timer !== null || (queue.length === 0 && sender.sent.length === 0)) return
    timer = setTimeout(check, checkMs)
    timer.unref()
  }

  function check(): void {
    const nowMs = clock.monotonic()
    const isOver = (queued: QueuedOperation) => nowMs >= queued.deadlineAtMs
    for (const queued of queue.remove(isOver)) queued.reject(tooLate())
    for (const queued of sender.sent.filter(isOver)) {
      queued.gaveUp = true
      queued.reject(tooLate())
    }
    timer = null
    start()
  }

  return { start }
}

interface DeadlineWatchParts {
  readonly queue: OperationQueue
  readonly sender: Pick<GroupSender, 'sent'>
  readonly clock: Pick<Clock, 'monotonic'>
}

function tooLate(): StoreUnavailable {
  return new StoreUnavailable('the store did not answer in time')
}
