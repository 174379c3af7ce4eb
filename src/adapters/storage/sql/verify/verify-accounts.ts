import type { CurrencyParts } from '../../../../core/currency.ts'
import { formatUsd } from '../../../../core/money.ts'
import { fromDbAmount, fromDbNumber, type RawInteger } from '../mapping.ts'
import type { Audit, AuditedAccount, AuditedHold, AuditedKey } from './audit.ts'

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
    verifyKey(key, heldByKey(fromDbNumber(key.no)), audit)
  }
}

function verifyKey(key: AuditedKey, { heldNano, openHolds, parts }: Held, { problems }: Audit): void {
  const [saysNano, saysDiemNano] = [fromDbAmount(key.held_nano), fromDbAmount(key.held_diem_nano)]
  const thereNano = heldNano - parts.diemNano
  if (saysNano === thereNano && saysDiemNano === parts.diemNano && fromDbNumber(key.open_holds) === openHolds) return
  problems.add(
    `key ${key.id}: it says ${usd(saysNano)} and ${formatUsd(saysDiemNano)} DIEM in ${key.open_holds} holds, ` +
      `there are ${usd(thereNano)} and ${formatUsd(parts.diemNano)} DIEM in ${openHolds}`,
  )
}

interface Held {
  /** In all currencies together. */
  readonly heldNano: bigint
  readonly openHolds: number
  /** DIEM of any day. */
  readonly parts: Omit<CurrencyParts, 'diemDay'>
}

const noHolds: Held = { heldNano: 0n, openHolds: 0, parts: { diemNano: 0n, earnedNano: 0n, bundledNano: 0n } }

function sumHolds(holds: readonly AuditedHold[], ownerOf: (hold: AuditedHold) => number): (owner: number) => Held {
  const sums = new Map<number, Held>()
  const sumOf = (owner: number) => sums.get(owner) ?? noHolds
  for (const hold of holds) {
    const { heldNano, openHolds, parts } = sumOf(ownerOf(hold))
    sums.set(ownerOf(hold), {
      heldNano: heldNano + hold.amountNano,
      openHolds: openHolds + 1,
      parts: hold.parts === null ? parts : addParts(parts, hold.parts),
    })
  }
  return sumOf
}

function addParts(sum: Held['parts'], parts: CurrencyParts): Held['parts'] {
  return {
    diemNano: sum.diemNano + parts.diemNano,
    earnedNano: sum.earnedNano + parts.earnedNano,
    bundledNano: sum.bundledNano + parts.bundledNano,
  }
}

function verifyAccount(account: AuditedAccount, { heldNano, openHolds, parts }: Held, audit: Audit): void {
  const { row } = account
  const { problems, holds } = audit
  const compare = (what: string, stored: RawInteger, summedNano: bigint, unit = 'USD') => {
    const storedNano = fromDbAmount(stored)
    if (storedNano === summedNano) return
    const parted = `${formatUsd(summedNano)} ${unit}`
    problems.add(`account ${row.name}: ${what} is ${formatUsd(storedNano)} ${unit}, its parts add up to ${parted}`)
  }
  compare('balance', row.balance_nano, account.creditedNano - account.debitedNano)
  compare('credited', row.credited_nano, account.creditedNano)
  compare('debited', row.debited_nano, account.debitedNano)
  compare('held', row.held_nano, heldNano - parts.diemNano - parts.earnedNano - parts.bundledNano)
  compare('earned credit', row.earned_nano, account.earnedNano)
  compare('held earned credit', row.earned_held_nano, parts.earnedNano)
  compare('bundled credit', row.bundled_nano, account.bundledNano)
  compare('held bundled credit', row.bundled_held_nano, parts.bundledNano)
  const day = fromDbNumber(row.diem_day)
  const isOfDay = (hold: AuditedHold) => hold.accountNo === fromDbNumber(row.no) && hold.parts?.diemDay === day
  const ofDay = parts.diemNano === 0n ? [] : holds.filter(isOfDay)
  const heldOfDayNano = ofDay.reduce((sum, hold) => sum + (hold.parts?.diemNano ?? 0n), 0n)
  compare('held of the allowance', row.diem_held_nano, heldOfDayNano, 'DIEM')
  compare('spent of the allowance', row.diem_spent_nano, day === account.diemDay ? account.diemSpentNano : 0n, 'DIEM')
  if (account.diemDay > day) problems.add(`account ${row.name}: it spent DIEM of a day that has not begun for it`)
  compare('usage', account.usageNano, account.recordedNano + account.prunedNano)
  if (fromDbNumber(row.open_holds) !== openHolds)
    problems.add(`account ${row.name}: it counts ${row.open_holds} open holds, there are ${openHolds}`)
}

function usd(amountNano: bigint): string {
  return `${formatUsd(amountNano)} USD`
}
