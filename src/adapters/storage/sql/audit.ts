import type { Selectable } from 'kysely'
import { fromDbNumber } from './mapping.ts'
import type { Sql, Tables } from './tables.ts'

/** What a verification gathers on its way through the tables. */
export interface Audit {
  /** By account number. */
  readonly accounts: ReadonlyMap<number, AuditedAccount>
  readonly accountsById: ReadonlyMap<string, AuditedAccount>
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
  /** What usage records say was taken, those included that were pruned. */
  recordedNano: bigint
  heldNano: bigint
  openHolds: number
}

/** A list that stays readable, and within memory, when everything is wrong. */
interface Findings {
  add(finding: string): void
  list(): readonly string[]
}

const findingsMax = 1_000

export async function createAudit(sql: Sql): Promise<Audit> {
  const rows = await sql.selectFrom('accounts').selectAll().execute()
  const audited = rows.map(row => ({
    row,
    creditedNano: 0n,
    debitedNano: 0n,
    usageNano: 0n,
    recordedNano: 0n,
    heldNano: 0n,
    openHolds: 0,
  }))
  return {
    accounts: new Map(audited.map(account => [fromDbNumber(account.row.no), account])),
    accountsById: new Map(audited.map(account => [account.row.id, account])),
    problems: createFindings(),
    undelivered: createFindings(),
  }
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
