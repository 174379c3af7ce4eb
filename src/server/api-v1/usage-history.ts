import { type HistoryRow, historyRows } from '../../dialects/venice/encode/history-rows.ts'
import { type CursorKey, encodeCursor } from '../../dialects/venice/history-cursor.ts'
import { type HistoryWalk, ledgerCurrency } from '../../dialects/venice/history-walk.ts'
import type { LedgerStore } from '../../domain/ledger/ledger-store.ts'

export interface HistoryPage {
  readonly rows: readonly HistoryRow[]
  /** Null when the walk is over. */
  readonly nextCursor: string | null
}

/** The next page of a walk: whole charges, as many as fit, and one at least. */
export async function readHistoryPage(
  ledger: Pick<LedgerStore, 'charges'>,
  walk: HistoryWalk,
  key: CursorKey,
): Promise<HistoryPage> {
  const { fromMs, toMs, currency, pageSize, after } = walk
  const query = { fromMs, toMs, currency: ledgerCurrency(currency), after, limit: pageSize + 1 }
  const charges = await ledger.charges(key.accountId, query)
  const rows: HistoryRow[] = []
  let shown = 0
  for (const charge of charges) {
    const next = historyRows(charge)
    if (shown > 0 && rows.length + next.length > pageSize) break
    rows.push(...next)
    shown += 1
  }
  const last = charges[shown - 1]
  const isOver = shown === charges.length || last === undefined
  return { rows, nextCursor: isOver ? null : encodeCursor({ ...walk, after: last.place }, key) }
}
