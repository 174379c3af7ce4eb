import { formatUsd } from '../../../../core/money.ts'
import { summedColumns } from '../counted-columns.ts'
import { fromDbAmount, fromDbNumber, type RawInteger } from '../mapping.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Audit } from './audit.ts'
import type { DayRange } from './day-ranges.ts'
import { type Difference, readDifferences } from './read-differences.ts'
import type { Unexplained } from './verified-part.ts'

/**
 * Adds up the records of each day and compares with the sums that are kept of them, each day at one moment. A group with
 * as many records as it counts must agree in everything. One with fewer has lost some to pruning, which is known per
 * account; one with more was never counted.
 */
export async function verifyUsageDays(snapshot: Snapshot, ranges: readonly DayRange[], audit: Audit): Promise<void> {
  for (const range of ranges) {
    const groups = await snapshot(db => readDifferences(db, range))
    for (const group of groups) judgeGroup(group, audit)
  }
}

/** So many requests as are counted without a record must have been pruned, for so much. */
export async function verifyPruned(snapshot: Snapshot, audit: Audit): Promise<void> {
  const pruned = await snapshot(db => db.selectFrom('pruned_usage').selectAll().execute())
  for (const row of pruned)
    count(audit, row.account_no, { requests: -fromDbAmount(row.records), costNano: -fromDbAmount(row.cost_nano) })
  for (const [accountNo, { requests, costNano }] of audit.unexplained)
    if (requests !== 0n || costNano !== 0n)
      audit.problems.add(
        `account ${nameOf(accountNo, audit)}: its sums count ${requests} requests for ${formatUsd(costNano)} USD ` +
          'that neither records nor what was pruned explain',
      )
}

function judgeGroup(group: Difference, audit: Audit): void {
  const requests = fromDbAmount(group.requests)
  if (requests > 0n && group.outcome === '') {
    count(audit, group.account_no, { requests, costNano: fromDbAmount(group.cost_nano) })
    return
  }
  const where = `sums of ${dateOf(group.day)}, account ${nameOf(fromDbNumber(group.account_no), audit)}, ${group.model}`
  const counted = group.outcome === '' ? 'are not counted' : `that ended as ${group.outcome} are not counted`
  if (requests < 0n) audit.problems.add(`${where}: ${-requests} records ${counted}`)
  else if (requests > 0n)
    audit.problems.add(`${where}: ${requests} requests count as ${group.outcome} without a record`)
  else
    for (const name of summedColumns)
      if (fromDbAmount(group[name]) !== 0n)
        audit.problems.add(`${where}: ${name} is ${group[name]} more than its records add up to`)
}

function count({ unexplained }: Audit, account: RawInteger, { requests, costNano }: Unexplained): void {
  const accountNo = fromDbNumber(account)
  const before = unexplained.get(accountNo) ?? { requests: 0n, costNano: 0n }
  unexplained.set(accountNo, { requests: before.requests + requests, costNano: before.costNano + costNano })
}

const dayMs = 86_400_000

function dateOf(day: RawInteger): string {
  return new Date(fromDbNumber(day) * dayMs).toISOString().slice(0, 10)
}

function nameOf(accountNo: number, { accounts }: Audit): string {
  return accounts.get(accountNo)?.row.name ?? `number ${accountNo}`
}
