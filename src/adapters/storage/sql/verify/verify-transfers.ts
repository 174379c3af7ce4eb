import type { Selectable } from 'kysely'
import { customerOf } from '../../../../domain/ledger/ledger-account.ts'
import { fromDbAmountOrNull, fromDbNumber, fromDbNumberOrNull } from '../mapping.ts'
import type { Snapshot } from '../snapshot.ts'
import type { TransfersTable } from '../tables.ts'
import { fromDbHashedTransfer } from '../texts/hashed-transfer.ts'
import { hashTransfer, transferIdOf } from '../texts/transfer-hash.ts'
import type { Audit, AuditedAccount } from './audit.ts'
import { readInPieces } from './read-in-pieces.ts'

/** Where the walk along the chain stands: at the last transfer that was seen. */
interface ChainState {
  seq: number
  hash: string
}

/** Walks the chain from its first transfer, adding up both sides of each. Returns how many there are. */
export async function verifyTransfers(snapshot: Snapshot, audit: Audit): Promise<number> {
  const { head, problems } = audit
  const state: ChainState = { seq: 0, hash: '' }
  const transfers = await readInPieces(snapshot, async (sql, { lastSeq, limit }) => {
    const rows = await sql
      .selectFrom('transfers')
      .selectAll()
      .where('seq', '>', lastSeq)
      .where('seq', '<=', head.transferSeq)
      .orderBy('seq')
      .limit(limit)
      .execute()
    for (const row of rows) verifyTransfer(row, state, audit)
    return { lastSeq: rows.length < limit ? null : state.seq, rows: rows.length }
  })
  if (head.transferSeq !== state.seq)
    problems.add(`transfers ${state.seq + 1} to ${head.transferSeq} are missing at the end`)
  else if (head.transferHash !== state.hash) problems.add('the last transfer is not the one that was booked last')
  return transfers
}

function verifyTransfer(row: Selectable<TransfersTable>, state: ChainState, audit: Audit): void {
  const transfer = fromDbHashedTransfer(row)
  const name = `transfer ${transferIdOf(transfer)}`
  if (transfer.seq !== state.seq + 1)
    audit.problems.add(`transfers ${state.seq + 1} to ${transfer.seq - 1} are missing before ${name}`)
  else if (hashTransfer(state.hash, transfer) !== row.hash)
    audit.problems.add(`${name} was changed: it does not match its hash`)
  state.seq = transfer.seq
  state.hash = row.hash
  const isUsage = row.code === 'usage' || row.code === 'adjust'
  const debited = findCustomer(audit, name, row.debit)
  if (debited !== null) move(debited, { debitedNano: transfer.amountNano, isUsage })
  const credited = findCustomer(audit, name, row.credit)
  if (credited !== null) move(credited, { creditedNano: transfer.amountNano, isUsage })
  verifyBalanceAfter(row, { name, account: debited ?? credited, audit })
}

function findCustomer(audit: Audit, name: string, ledgerAccount: string): AuditedAccount | null {
  const customerId = customerOf(ledgerAccount)
  if (customerId === null) return null
  const account = audit.accountsById.get(customerId)
  if (account === undefined) audit.problems.add(`${name} moves money of an account that is not there`)
  return account ?? null
}

function move(
  account: AuditedAccount,
  { creditedNano = 0n, debitedNano = 0n, isUsage }: { creditedNano?: bigint; debitedNano?: bigint; isUsage: boolean },
): void {
  account.creditedNano += creditedNano
  account.debitedNano += debitedNano
  if (isUsage) account.usageNano += debitedNano - creditedNano
}

interface NamedTransfer {
  readonly name: string
  readonly account: AuditedAccount | null
  readonly audit: Audit
}

function verifyBalanceAfter(row: Selectable<TransfersTable>, { name, account, audit }: NamedTransfer): void {
  if (fromDbNumberOrNull(row.customer_no) !== (account === null ? null : fromDbNumber(account.row.no))) {
    audit.problems.add(`${name} is filed under another account`)
    return
  }
  const balanceNano = account === null ? null : account.creditedNano - account.debitedNano
  if (fromDbAmountOrNull(row.balance_after_nano) !== balanceNano)
    audit.problems.add(`${name} shows a balance that is not the sum of the entries up to it`)
}
