import type { Selectable } from 'kysely'
import type { CurrencyParts } from '../../../../core/currency.ts'
import { fromDbAmount, fromDbNumber } from '../mapping.ts'
import type { ApiKeysTable, Sql, Tables } from '../tables.ts'
import { readOpenHolds } from './read-open-holds.ts'
import { type AccountSums, countPruned, type Unexplained, type VerifiedPart } from './verified-part.ts'

/** What a verification starts from, read at one moment, and what it gathers on its way through the tables. */
export interface Audit {
  /** What need not be read again. */
  readonly before: VerifiedPart
  /** By account number. */
  readonly accounts: ReadonlyMap<number, AuditedAccount>
  readonly accountsById: ReadonlyMap<string, AuditedAccount>
  readonly keys: readonly AuditedKey[]
  readonly holds: readonly AuditedHold[]
  readonly head: AuditedHead
  /** How many records had been pruned by then. */
  readonly prunedRecords: number
  /** By account number. */
  readonly unexplained: Map<number, Unexplained>
  readonly problems: Findings
  readonly undelivered: Findings
}

/** An account as its row says, and as its parts add up to. */
export interface AuditedAccount extends Mutable<AccountSums> {
  readonly row: Selectable<Tables['accounts']>
  /** What its pruned records had cost. */
  readonly prunedNano: bigint
}

type Mutable<Value> = { -readonly [Name in keyof Value]: Value[Name] }

export type AuditedKey = Pick<Selectable<ApiKeysTable>, 'no' | 'id' | 'held_nano' | 'held_diem_nano' | 'open_holds'>

export interface AuditedHold {
  readonly seq: number
  readonly id: string
  readonly accountNo: number
  readonly keyNo: number
  readonly amountNano: bigint
  readonly parts: CurrencyParts | null
  /** True when there is a usage record too: then it cannot be open. */
  readonly resolved: boolean
}

/** Beyond these numbers nothing was booked yet at the audit's moment. */
export interface AuditedHead {
  readonly holdSeq: number
  readonly transferSeq: number
  readonly transferHash: string
}

/** A list that stays readable, and within memory, when everything is wrong. */
interface Findings {
  add(finding: string): void
  list(): readonly string[]
}

const findingsMax = 1_000

export async function createAudit(sql: Sql, before: VerifiedPart): Promise<Audit> {
  const accounts = await readAccounts(sql, before)
  const head = await sql.selectFrom('ledger_head').selectAll().executeTakeFirstOrThrow()
  return {
    before,
    accounts,
    accountsById: new Map([...accounts.values()].map(account => [account.row.id, account])),
    keys: await sql.selectFrom('api_keys').select(['no', 'id', 'held_nano', 'held_diem_nano', 'open_holds']).execute(),
    holds: await readOpenHolds(sql),
    head: {
      holdSeq: fromDbNumber(head.hold_seq),
      transferSeq: fromDbNumber(head.transfer_seq),
      transferHash: head.transfer_hash,
    },
    prunedRecords: await countPruned(sql),
    unexplained: new Map(before.unexplained),
    problems: createFindings([]),
    undelivered: createFindings(before.undelivered),
  }
}

const nothing: AccountSums = {
  creditedNano: 0n,
  debitedNano: 0n,
  earnedNano: 0n,
  bundledNano: 0n,
  diemDay: 0,
  diemSpentNano: 0n,
  usageNano: 0n,
  recordedNano: 0n,
}

async function readAccounts(sql: Sql, before: VerifiedPart): Promise<ReadonlyMap<number, AuditedAccount>> {
  const rows = await sql.selectFrom('accounts').selectAll().execute()
  const pruned = await sql.selectFrom('pruned_usage').selectAll().execute()
  const prunedNano = new Map(pruned.map(row => [fromDbNumber(row.account_no), fromDbAmount(row.cost_nano)]))
  return new Map(
    rows.map(row => {
      const no = fromDbNumber(row.no)
      return [no, { row, prunedNano: prunedNano.get(no) ?? 0n, ...(before.accounts.get(no) ?? nothing) }]
    }),
  )
}

function createFindings(known: readonly string[]): Findings {
  const findings = [...known]
  let left = 0
  return {
    add(finding) {
      if (findings.length < findingsMax) findings.push(finding)
      else left += 1
    },
    list: () => (left === 0 ? findings : [...findings, `and ${left} more`]),
  }
}
