import { formatUsd } from '../../../core/money.ts'
import type { Audit, AuditedAccount } from './audit.ts'
import { fromDbAmount, fromDbNumber, type RawInteger } from './mapping.ts'
import type { Sql } from './tables.ts'

/** Compares what accounts and keys say with what their entries, records and holds add up to. Returns the open holds. */
export async function verifyAccounts(sql: Sql, audit: Audit): Promise<number> {
  const holds = await sql
    .selectFrom('holds')
    .leftJoin('usage_records', 'usage_records.hold_seq', 'holds.seq')
    .select(['holds.account_no', 'holds.key_no', 'holds.amount_nano', 'holds.id', 'usage_records.hold_seq'])
    .execute()
  for (const hold of holds) {
    const account = audit.accounts.get(fromDbNumber(hold.account_no))
    if (account === undefined) audit.problems.add(`hold ${hold.id}: its account is not there`)
    else {
      account.heldNano += fromDbAmount(hold.amount_nano)
      account.openHolds += 1
    }
    if (hold.hold_seq !== null) audit.problems.add(`hold ${hold.id}: it is resolved and still open`)
  }
  for (const account of audit.accounts.values()) verifyAccount(account, audit)
  await verifyKeys(sql, holds, audit)
  return holds.length
}

function verifyAccount(account: AuditedAccount, audit: Audit): void {
  const { row } = account
  const compare = (what: string, stored: RawInteger, summed: bigint) => {
    if (fromDbAmount(stored) !== summed)
      audit.problems.add(
        `account ${row.name}: ${what} is ${usd(fromDbAmount(stored))}, its parts add up to ${usd(summed)}`,
      )
  }
  compare('balance', row.balance_nano, account.creditedNano - account.debitedNano)
  compare('credited', row.credited_nano, account.creditedNano)
  compare('debited', row.debited_nano, account.debitedNano)
  compare('held', row.held_nano, account.heldNano)
  compare('usage', account.usageNano, account.recordedNano)
  if (fromDbNumber(row.open_holds) !== account.openHolds)
    audit.problems.add(`account ${row.name}: it counts ${row.open_holds} open holds, there are ${account.openHolds}`)
}

type HoldOfKey = Readonly<Record<'key_no' | 'amount_nano', RawInteger>>

async function verifyKeys(sql: Sql, holds: readonly HoldOfKey[], audit: Audit): Promise<void> {
  const sums = new Map<number, { heldNano: bigint; openHolds: number }>()
  for (const hold of holds) {
    const sum = sums.get(fromDbNumber(hold.key_no)) ?? { heldNano: 0n, openHolds: 0 }
    sum.heldNano += fromDbAmount(hold.amount_nano)
    sum.openHolds += 1
    sums.set(fromDbNumber(hold.key_no), sum)
  }
  for (const key of await sql.selectFrom('api_keys').select(['no', 'id', 'held_nano', 'open_holds']).execute()) {
    const { heldNano, openHolds } = sums.get(fromDbNumber(key.no)) ?? { heldNano: 0n, openHolds: 0 }
    if (fromDbAmount(key.held_nano) !== heldNano || fromDbNumber(key.open_holds) !== openHolds)
      audit.problems.add(
        `key ${key.id}: it says ${usd(fromDbAmount(key.held_nano))} in ${key.open_holds} holds, ` +
          `there are ${usd(heldNano)} in ${openHolds}`,
      )
  }
}

function usd(amountNano: bigint): string {
  return `${formatUsd(amountNano)} USD`
}
