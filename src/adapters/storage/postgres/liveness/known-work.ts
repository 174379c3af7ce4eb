import type { HoldId } from '../../../../core/ids.ts'
import type { AdmissionStore } from '../../../../domain/admission/admission-store.ts'
import type { IdempotencyStore } from '../../../../domain/idempotency/idempotency-store.ts'
import type { LedgerStore } from '../../../../domain/ledger/ledger-store.ts'

/**
 * What this process has open in the store and is going to end. A hold or key of its own that is not among them came
 * through although its caller was told that nobody knows: it is nobody's, and is resolved (see recovery.ts).
 */
export interface KnownWork {
  readonly holds: ReadonlySet<HoldId>
  /** Idempotency keys, by the holds of their runs. */
  readonly keys: ReadonlySet<HoldId>
  /** The same store; notes a hold from before it is asked for until its settlement has ended. */
  noteHolds<Store extends Pick<AdmissionStore & LedgerStore, 'admit' | 'settle'>>(store: Store): Store
  /** The same store; notes whose keys are claimed. */
  noteKeys(store: IdempotencyStore): IdempotencyStore
}

export function createKnownWork(): KnownWork {
  const holds = new Set<HoldId>()
  const keys = new Set<HoldId>()
  return {
    holds,
    keys,
    noteHolds: store => ({
      ...store,
      admit: request =>
        beginIn(
          holds,
          request.holdId,
          () => store.admit(request),
          ({ admitted }) => admitted,
        ),
      settle: settlement => endIn(holds, settlement.holdId, () => store.settle(settlement)),
    }),
    noteKeys: store => ({
      ...store,
      claim: start =>
        beginIn(
          keys,
          start.holdId,
          () => store.claim(start),
          ({ state }) => state === 'new',
        ),
      complete: (key, ...rest) => endIn(keys, key.holdId, () => store.complete(key, ...rest)),
      free: key => endIn(keys, key.holdId, () => store.free(key)),
    }),
  }
}

/** Open from before the store is asked; not any more when the answer is no, or unknown. */
async function beginIn<T>(open: Set<string>, id: string, ask: () => Promise<T>, isOpen: (answer: T) => boolean) {
  open.add(id)
  let stays = false
  try {
    const answer = await ask()
    stays = isOpen(answer)
    return answer
  } finally {
    if (!stays) open.delete(id)
  }
}

async function endIn<T>(open: Set<string>, id: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } finally {
    open.delete(id)
  }
}
