import { failpoint } from '../../../../lib/failpoint.ts'
import { settlementOfCrash } from '../../groups/crash-settlement.ts'
import type { AbandonedReport, Operation, OperationResult, PackedSettlement } from '../../groups/operations.ts'
import type { PostgresPool } from '../postgres-pool.ts'
import { findAbandoned } from './find-abandoned.ts'
import { runInHalves } from './run-in-halves.ts'
import { askToSettle } from './run-settlements.ts'
import { toDbSettlement } from './settlements.ts'

type Resolve = Extract<Operation, { readonly kind: 'resolve' }>

/**
 * Charges abandoned holds at their last mark and releases those without one (money.md §2), at most `limit` of them. A hold
 * that its own process settles meanwhile, or that another process resolves, is not counted.
 */
export async function resolveAbandoned(pool: PostgresPool, resolve: Resolve): Promise<OperationResult> {
  const { abandoned, atMs, limit } = resolve
  const [report] = await runInHalves([resolve], async () => {
    const found = await findAbandoned(pool, abandoned, limit + 1)
    const settlements = found.slice(0, limit).map(({ hold, prices }) => settlementOfCrash(hold, prices, atMs))
    failpoint('sweep.in_tx')
    const results = await runInHalves(settlements, some => settleSwept(pool, some))
    const failed = results.find(result => 'error' in result)
    return [failed ?? { value: reportOf(results, found.length > limit) }]
  })
  return report ?? { value: reportOf([], false) }
}

type Swept = 'charged' | 'released' | 'gone'

async function settleSwept(
  pool: PostgresPool,
  settlements: readonly PackedSettlement[],
): Promise<readonly { readonly value: Swept }[]> {
  if (settlements.length === 0) return []
  const asked = settlements.map(settlement => toDbSettlement(settlement, { swept: true }))
  const answers = await askToSettle(pool, { settlements: asked, marks: [] })
  return settlements.map(({ chargeNano }, index) => {
    if ((answers[index] ?? null) === null) return { value: 'gone' }
    return { value: chargeNano > 0n ? 'charged' : 'released' }
  })
}

function reportOf(results: readonly OperationResult[], more: boolean): AbandonedReport {
  const count = (what: Swept) => results.filter(result => 'value' in result && result.value === what).length
  return { charged: count('charged'), released: count('released'), more }
}
