import { formatUsd } from '../../../../core/money.ts'
import { fromDbAmount, fromDbNumber, type RawInteger } from '../mapping.ts'
import type { Audit, AuditedAccount, AuditedHold } from './audit.ts'

/** Compares what accounts and keys say with what their entries, records and holds add up to. */
export function verifyAccounts(audit: Audit): void {
  const { accounts, keys, holds, problems } = audit
  for (const hold of holds) {
    if (!accounts.has(hold.accountNo)) problems.add(`hold ${hold.id}: its account is not there`)
    if (hold.resolved) problems.add(`hold ${hold.id}: it is resolved and still open`)
  }
  const heldByAccount = sumHolds(holds, hold => hold.accountNo)
  for (const [no, account] of accounts) verifyAccount(account, heldByAccount(no), audit)
  const heldByKey = sumHolds(holds, hold => hold.keyNo)
  for (const key of keys) {
    const { heldNano, openHolds } = heldByKey(fromDbNumber(key.no))
    if (fromDbAmount(key.held_nano) !== heldNano || fromDbNumber(key.open_holds) !== openHolds)
      problems.add(
        `key ${key.id}: it says ${usd(fromDbAmount(key.held_nano))} in ${key.open_holds} holds, ` +
          `there are ${usd(heldNano)} in ${openHolds}`,
      )
  }
}

interface Held {
  readonly heldNano: bigint
  readonly openHolds: number
}

function sumHolds(holds: readonly AuditedHold[], ownerOf: (hold: AuditedHold) => number): (owner: number) => Held {
  const sums = new Map<number, Held>()
  const sumOf = (owner: number) => sums.get(owner) ?? { heldNano: 0n, openHolds: 0 }
  for (const hold of holds) {
    const { heldNano, openHolds } = sumOf(ownerOf(hold))
    sums.set(ownerOf(hold), { heldNano: heldNano + hold.amountNano, openHolds: openHolds + 1 })
  }
  return sumOf
}

function verifyAccount(account: AuditedAccount, { heldNano, openHolds }: Held, { problems }: Audit): void {
  const { row } = account
  const compare = (what: string, stored: RawInteger, summedNano: bigint) => {
    const storedNano = fromDbAmount(stored)
    if (storedNano !== summedNano)
      problems.add(`account ${row.name}: ${what} is ${usd(storedNano)}, its parts add up to ${usd(summedNano)}`)
  }
  compare('balance', row.balance_nano, account.creditedNano - account.debitedNano)
  compare('credited', row.credited_nano, account.creditedNano)
  compare('debited', row.debited_nano, account.debitedNano)
  compare('held', row.held_nano, heldNano)
  compare('usage', account.usageNano, account.recordedNano)
  if (fromDbNumber(row.open_holds) !== openHolds)
    problems.add(`account ${row.name}: it counts ${row.open_holds} open holds, there are ${openHolds}`)
}

function usd(amountNano: bigint): string {
  return `${formatUsd(amountNano)} USD`
}
