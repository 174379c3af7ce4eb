import type { Clock } from '../../core/clock.ts'
import { errorBudgetExhausted } from '../../core/error-budget-exhausted.ts'
import type { GatewayError } from '../../core/gateway-error.ts'
import type { AccountId } from '../../core/ids.ts'
import type { BudgetView } from '../../core/rate-view.ts'
import { StoreUnavailable } from '../../core/store-error.ts'
import { currentWindow, failuresLeft, spentKind, spentKindBefore } from '../../lib/failure-window.ts'
import { createTtlCache } from '../../lib/ttl-cache.ts'
import type { FailureStore } from './failure-store.ts'
import type { RefusalLog } from './refusal-log.ts'
import type { ErrorBudget, FailureBucket, FailureCounts, FailureKind } from './types.ts'

/** Buckets that are known to be used up. What is pushed out is found again by whoever counts or admits. */
const spentMax = 10_000
/** The longest window that can be configured. */
const spentTtlMs = 86_400_000

/** A bucket, and the account in whose list it stands when it refuses (venice.md §5.3). */
export interface CallersBucket extends FailureBucket {
  readonly accountId: AccountId
}

interface BudgetVerdict {
  /** Null while requests of the bucket pass. */
  readonly refusal: GatewayError | null
  /** Null where nothing is bounded, or nothing is known. */
  readonly view: BudgetView | null
}

/**
 * What callers may fail with (venice.md §5.4). The counts lie in the store, so that they hold for all gateways on it. Good
 * requests change nothing; one that fails costs one write; and one that meets a budget known to be used up costs nothing. A
 * store that cannot answer stops nobody here: what costs money is refused by admission.
 */
export interface ErrorBudgets {
  readonly budget: ErrorBudget
  /** A refusal where this process knows of one; it asks nobody. */
  known(bucket: CallersBucket): GatewayError | null
  /** Counts a failure. The last one that is allowed is still answered as what it is. */
  count(bucket: CallersBucket, kind: FailureKind): Promise<BudgetVerdict>
  /** Asks the store, for requests that no admission decides about. */
  look(bucket: CallersBucket): Promise<BudgetVerdict>
  /** What admission read, and decided in the same way. */
  note(bucket: CallersBucket, counts: FailureCounts): BudgetVerdict
}

export interface ErrorBudgetsOptions {
  readonly store: Pick<FailureStore, 'count' | 'read'>
  readonly refusals: Pick<RefusalLog, 'note'>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  /** Read once per request: an operator may change it. */
  readonly budget: () => ErrorBudget
}

const nothingKnown: BudgetVerdict = { refusal: null, view: null }

export function createErrorBudgets({ store, refusals, clock, budget }: ErrorBudgetsOptions): ErrorBudgets {
  const spent = createTtlCache<string, FailureCounts>({ entriesMax: spentMax, ttlMs: spentTtlMs })

  function refuse(bucket: CallersBucket, kind: FailureKind, counts: FailureCounts): GatewayError {
    const { windowMs, [kind]: allowed } = budget()
    const nowMs = clock.now()
    refusals.note({ accountId: bucket.accountId, keyId: bucket.owner, model: bucket.model, rate: kind, atMs: nowMs })
    return errorBudgetExhausted({ allowed, windowMs, nowMs, view: { remaining: 0, resetsAtMs: counts.endsAtMs } })
  }

  function judge(bucket: CallersBucket, counts: FailureCounts, refusedFor: FailureKind | null): BudgetVerdict {
    const bounds = budget()
    if (spentKind(counts, bounds) !== null) spent.set(nameOf(bucket), counts, clock.monotonic())
    const remaining = failuresLeft(counts, bounds)
    return {
      refusal: refusedFor === null ? null : refuse(bucket, refusedFor, counts),
      view: Number.isFinite(remaining) ? { remaining, resetsAtMs: counts.endsAtMs } : null,
    }
  }

  /** A store that cannot answer bounds nothing here. */
  async function whereBounded(ask: (bounds: ErrorBudget) => Promise<BudgetVerdict>): Promise<BudgetVerdict> {
    const bounds = budget()
    if (bounds.failed === 'unlimited' && bounds.unsupported === 'unlimited') return nothingKnown
    try {
      return await ask(bounds)
    } catch (error) {
      if (error instanceof StoreUnavailable) return nothingKnown
      throw error
    }
  }

  function note(bucket: CallersBucket, stored: FailureCounts | null): BudgetVerdict {
    const bounds = budget()
    const counts = currentWindow(stored, bounds.windowMs, clock.now())
    return judge(bucket, counts, spentKind(counts, bounds))
  }

  return {
    get budget() {
      return budget()
    },
    known(bucket) {
      const stored = spent.get(nameOf(bucket), clock.monotonic())
      return stored === undefined ? null : note(bucket, stored).refusal
    },
    count: (bucket, kind) =>
      whereBounded(async bounds => {
        const counts = await store.count({ bucket, kind, windowMs: bounds.windowMs, nowMs: clock.now() })
        return judge(bucket, counts, spentKindBefore(counts, bounds, kind))
      }),
    look: bucket => whereBounded(async () => note(bucket, await store.read(bucket))),
    note,
  }
}

function nameOf({ owner, model, user }: FailureBucket): string {
  return `${owner} ${user} ${model}`
}
