import type { AdmissionStore } from '../../../domain/admission/admission-store.ts'
import type { LedgerStore } from '../../../domain/ledger/ledger-store.ts'
import type { RecoveryReport, Settlement } from '../../../domain/ledger/types.ts'
import { encodeUsageDetails } from '../sql/texts/usage-details.ts'
import type { Abandoned, PackedSettlement } from './operations.ts'
import type { MoneyLanes } from './writer-client.ts'

/** The methods of the ports that move money; each is one operation of a group. */
export type MoneyStore = AdmissionStore &
  Pick<LedgerStore, 'post' | 'settle' | 'mark' | 'lower' | 'recover' | 'recoverFrom' | 'sweep'>

/** A caller that is not admitted within this is refused. */
export const admitWaitMs = 5_000

/** As patient as admission: a request whose store is slower goes on with the hold that it has. */
const lowerWaitMs = admitWaitMs

/** Holds that one transaction resolves: recovery after a crash must not block everything else for seconds. */
const resolvedAtOnce = 256

export function createMoneyStore({ admissions, settlements }: MoneyLanes): MoneyStore {
  async function resolveAll(abandoned: Abandoned, atMs: number): Promise<RecoveryReport> {
    const total = { charged: 0, released: 0 }
    for (;;) {
      const report = await settlements.run({ kind: 'resolve', abandoned, atMs, limit: resolvedAtOnce })
      total.charged += report.charged
      total.released += report.released
      if (!report.more) return total
    }
  }

  return {
    admit: request => admissions.run({ kind: 'admit', request }, { waitMs: admitWaitMs }),
    settle: settlement => settlements.run({ kind: 'settle', settlement: packSettlement(settlement) }, { keep: true }),
    mark: mark => settlements.run({ kind: 'mark', mark }, { replaces: mark.holdId }),
    lower: hold => settlements.run({ kind: 'lower', hold }, { waitMs: lowerWaitMs }),
    post: transfer => settlements.run({ kind: 'post', transfer }),
    recover: (processId, atMs) => resolveAll({ kind: 'foreign', processId }, atMs),
    recoverFrom: (processId, atMs) => resolveAll({ kind: 'process', processId }, atMs),
    sweep: (atMs, graceMs) => resolveAll({ kind: 'overdue', deadlineBeforeMs: atMs - graceMs }, atMs),
  }
}

/** Writes the record's text here, so that the writer's thread only stores it. */
export function packSettlement(settlement: Settlement): PackedSettlement {
  const { record } = settlement
  return {
    holdId: settlement.holdId,
    chargeNano: settlement.chargeNano,
    lines: settlement.lines,
    writeoffNano: settlement.writeoffNano,
    tokensUsed: settlement.tokensUsed,
    freeFailure: settlement.freeFailure,
    atMs: settlement.atMs,
    record: {
      generationId: record.generationId,
      model: record.model,
      outcome: record.outcome,
      status: record.status,
      usage: record.usage,
      costDelivered: record.costDelivered,
      createdAtMs: record.createdAtMs,
      details: encodeUsageDetails(record),
    },
  }
}
