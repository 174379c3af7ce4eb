import type { Selectable } from 'kysely'
import { fromDbAmount, fromDbNumber } from '../mapping.ts'
import type { ApiKeysTable, Sql, Tables } from '../tables.ts'

/** What a verification starts from, read at one moment, and what it gathers on its way through the tables. */
export interface Audit {
  /** By account number. */
  readonly accounts: ReadonlyMap<number, AuditedAccount>
  readonly accountsById: ReadonlyMap<string, AuditedAccount>
  readonly keys: readonly AuditedKey[]
  readonly holds: readonly AuditedHold[]
  readonly head: AuditedHead
  /** How many records had been pruned by then. */
  readonly prunedRecords: number
  readonly problems: Findings
  readonly undelivered: Findings
}

/** An account as its row says, and as its parts add up to. */
export interface AuditedAccount {
  readonly row: Selectable<Tables['accounts']>
  creditedNano: bigint
  debitedNano: bigint
  /** What transfers of usage and adjustment took, less what they gave back. */
  usageNano: bigint
  /** The part of that which usage records explain, those included that were pruned. */
  recordedNano: bigint
}

type AuditedKey = Pick<Selectable<ApiKeysTable>, 'no' | 'id' | 'held_nano' | 'open_holds'>

export interface AuditedHold {
  readonly seq: number
  readonly id: string
  readonly accountNo: number
  readonly keyNo: number
  readonly amountNano: bigint
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

export async function createAudit(sql: Sql): Promise<Audit> {
  const accounts = await readAccounts(sql)
  const pruned = await sql.selectFrom('pruned_usage').selectAll().execute()
  for (const row of pruned) {
    const account = accounts.get(fromDbNumber(row.account_no))
    if (account !== undefined) account.recordedNano += fromDbAmount(row.cost_nano)
  }
  const head = await sql.selectFrom('ledger_head').selectAll().executeTakeFirstOrThrow()
  return {
    accounts,
    accountsById: new Map([...accounts.values()].map(account => [account.row.id, account])),
    keys: await sql.selectFrom('api_keys').select(['no', 'id', 'held_nano', 'open_holds']).execute(),
    holds: await readHolds(sql),
    head: {
      holdSeq: fromDbNumber(head.hold_seq),
      transferSeq: fromDbNumber(head.transfer_seq),
      transferHash: head.transfer_hash,
    },
    prunedRecords: pruned.reduce((sum, row) => sum + fromDbNumber(row.records), 0),
    problems: createFindings(),
    undelivered: createFindings(),
  }
}

async function readAccounts(sql: Sql): Promise<ReadonlyMap<number, AuditedAccount>> {
  const rows = await sql.selectFrom('accounts').selectAll().execute()
  const nothing = { creditedNano: 0n, debitedNano: 0n, usageNano: 0n, recordedNano: 0n }
  return new Map(rows.map(row => [fromDbNumber(row.no), { row, ...nothing }]))
}

async function readHolds(sql: Sql): Promise<readonly AuditedHold[]> {
  const rows = await sql
    .selectFrom('holds')
    .leftJoin('usage_records', 'usage_records.hold_seq', 'holds.seq')
    .select([
      'holds.seq',
      'holds.id',
      'holds.account_no',
      'holds.key_no',
      'holds.amount_nano',
      'usage_records.hold_seq',
    ])
    .execute()
  return rows.map(row => ({
    seq: fromDbNumber(row.seq),
    id: row.id,
    accountNo: fromDbNumber(row.account_no),
    keyNo: fromDbNumber(row.key_no),
    amountNano: fromDbAmount(row.amount_nano),
    resolved: row.hold_seq !== null,
  }))
}

function createFindings(): Findings {
  const findings: string[] = []
  let left = 0
  return {
    add(finding) {
      if (findings.length < findingsMax) findings.push(finding)
      else left += 1
    },
    list: () => (left === 0 ? findings : [...findings, `and ${left} more`]),
  }
}
