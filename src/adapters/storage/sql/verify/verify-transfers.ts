import type { Selectable } from 'kysely'
import { customerOf } from '../../../../domain/ledger/ledger-account.ts'
import { fromDbAmountOrNull, fromDbNumber, fromDbNumberOrNull } from '../mapping.ts'
import type { Snapshot } from '../snapshot.ts'
import type { TransfersTable } from '../tables.ts'
import { fromDbHashedTransfer } from '../texts/hashed-transfer.ts'
import { type HashedTransfer, hashTransfer, transferIdOf } from '../texts/transfer-hash.ts'
import type { Audit, AuditedAccount } from './audit.ts'
import { readInPieces } from './read-in-pieces.ts'

const dayMs = 86_400_000

/** Where the walk along the chain stands: at the last transfer that was seen. */
interface ChainState {
  seq: number
  hash: string
}

/** Walks the chain from where an earlier walk ended, adding up both sides of each. Returns how many there were. */
export async function verifyTransfers(snapshot: Snapshot, audit: Audit): Promise<number> {
  const { head, before, problems } = audit
  const state: ChainState = { seq: before.transferSeq, hash: before.transferHash }
  const transfers = await readInPieces(snapshot, before.transferSeq, async (sql, { lastSeq, limit }) => {
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
  const debited = findCustomer(audit, name, row.debit)
  if (debited !== null) move(debited, transfer, -transfer.amountNano)
  const credited = findCustomer(audit, name, row.credit)
  if (credited !== null) move(credited, transfer, transfer.amountNano)
  verifyBalanceAfter(row, { name, account: debited ?? credited, audit })
}

function findCustomer(audit: Audit, name: string, ledgerAccount: string): AuditedAccount | null {
  const customerId = customerOf(ledgerAccount)
  if (customerId === null) return null
  const account = audit.accountsById.get(customerId)
  if (account === undefined) audit.problems.add(`${name} moves money of an account that is not there`)
  return account ?? null
}

/** Adds to what the account has, or takes from it, each asset by itself. */
function move(account: AuditedAccount, transfer: HashedTransfer, amountNano: bigint): void {
  const { asset, code, note } = transfer
  if (code === 'usage' || code === 'adjust') account.usageNano -= amountNano
  if (asset === 'earned') account.earnedNano += amountNano
  else if (asset === 'bundled') account.bundledNano += amountNano
  else if (asset === 'diem') spendAllowance(account, Date.parse(note) / dayMs, -amountNano)
  else if (amountNano > 0n) account.creditedNano += amountNano
  else account.debitedNano -= amountNano
}

/** Only the last day's counter is kept, so that only what was spent of that day is added up. */
function spendAllowance(account: AuditedAccount, day: number, amountNano: bigint): void {
  if (day < account.diemDay) return
  if (day > account.diemDay) account.diemSpentNano = 0n
  account.diemDay = day
  account.diemSpentNano += amountNano
}

function balanceIn(account: AuditedAccount, asset: string): bigint | null {
  switch (asset) {
    case 'usd':
      return account.creditedNano - account.debitedNano
    case 'earned':
      return account.earnedNano
    case 'bundled':
      return account.bundledNano
    default:
      return null
  }
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
  const balanceNano = account === null ? null : balanceIn(account, row.asset)
  if (fromDbAmountOrNull(row.balance_after_nano) !== balanceNano)
    audit.problems.add(`${name} shows a balance that is not the sum of the entries up to it`)
}
