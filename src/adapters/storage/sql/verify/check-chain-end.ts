import { fromDbNumber } from '../mapping.ts'
import type { Sql } from '../tables.ts'
import { fromDbHashedTransfer } from '../texts/hashed-transfer.ts'
import { hashTransfer } from '../texts/transfer-hash.ts'

/** Enough to notice a file that was cut, patched or mixed with another one, and read in a few milliseconds. */
const transfersChecked = 1_000

/**
 * Looks at the end of the chain of transfers before anything is booked on top of it (reliability.md S5).
 * @throws Error when transfers are missing there or were changed.
 */
export async function checkChainEnd(sql: Sql): Promise<void> {
  const newest = await sql.selectFrom('transfers').selectAll().orderBy('seq', 'desc').limit(transfersChecked).execute()
  const rows = newest.reverse()
  const head = await sql.selectFrom('ledger_head').selectAll().executeTakeFirstOrThrow()
  const last = rows.at(-1)
  if (fromDbNumber(head.transfer_seq) !== (last === undefined ? 0 : fromDbNumber(last.seq)))
    throw damaged('its newest transfers are missing')
  if (head.transfer_hash !== (last?.hash ?? '')) throw damaged('its newest transfer was replaced')
  rows.forEach((row, index) => {
    const before = rows[index - 1]
    const transfer = fromDbHashedTransfer(row)
    if (before === undefined && transfer.seq > 1) return
    if (hashTransfer(before?.hash ?? '', transfer) !== row.hash) throw damaged(`transfer ${transfer.seq} was changed`)
  })
}

function damaged(what: string): Error {
  return new Error(`the ledger is damaged: ${what}. \`rialto ledger verify\` lists the damage; restore a backup`)
}
