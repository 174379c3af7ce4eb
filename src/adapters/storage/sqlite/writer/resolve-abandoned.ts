import { failpoint } from '../../../../lib/failpoint.ts'
import { settlementOfCrash } from '../../groups/crash-settlement.ts'
import type { Abandoned, AbandonedReport } from '../../groups/operations.ts'
import type { OpenHold } from './hold-rows.ts'
import type { LedgerUnit } from './ledger-unit.ts'
import { resolveHold } from './resolve-hold.ts'

/** Charges abandoned holds at their last mark and releases those without one (money.md §2), at most `limit` of them. */
export function resolveAbandoned(
  unit: LedgerUnit,
  abandoned: Abandoned,
  { atMs, limit }: { readonly atMs: number; readonly limit: number },
): AbandonedReport {
  const holds = [...unit.holds.all()].filter(hold => isAbandoned(hold, abandoned))
  let charged = 0
  for (const hold of holds.slice(0, limit)) {
    if (resolveAtMark(unit, hold, atMs)) charged += 1
  }
  failpoint('sweep.in_tx')
  const resolved = Math.min(holds.length, limit)
  return { charged, released: resolved - charged, more: holds.length > limit }
}

function isAbandoned(hold: OpenHold, abandoned: Abandoned): boolean {
  switch (abandoned.kind) {
    case 'foreign':
      return hold.processId !== abandoned.processId
    case 'process':
      return hold.processId === abandoned.processId
    case 'listed':
      return abandoned.holdIds.includes(hold.id)
    case 'overdue':
      return hold.deadlineAtMs < abandoned.deadlineBeforeMs
  }
}

/** True when the hold was charged, false when it was let go for nothing. */
function resolveAtMark(unit: LedgerUnit, hold: OpenHold, atMs: number): boolean {
  const account = unit.accounts.find(hold.accountId)
  if (account === null) throw new Error('a hold belongs to an account that is not there')
  const { chargeNano, ...settlement } = settlementOfCrash(hold, unit.prices.find(hold.priceVersion), atMs)
  resolveHold(unit, { hold, account, swept: true, costNano: chargeNano, ...settlement })
  return chargeNano > 0n
}
