import type { AccountId, HoldId } from '../../../../core/ids.ts'
import type { LedgerStore } from '../../../../domain/ledger/ledger-store.ts'
import type { Balance, HoldFacts } from '../../../../domain/ledger/types.ts'
import { fromDbAmount, fromDbAmountOrNull, fromDbNumber } from '../mapping.ts'
import { toDbPriceList } from '../price-list.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Sql } from '../tables.ts'
import { verifyLedger } from '../verify/verify-ledger.ts'
import { readStatement } from './statement.ts'

/** The part of the ledger that reads the books, and what does not move money. */
export type LedgerBooks = Pick<LedgerStore, 'balance' | 'holdFacts' | 'statement' | 'rememberPrices' | 'verify'>

/** All methods but `verify` are to be called inside one transaction; that one takes its snapshots itself. */
export function createLedgerBooks(sql: Sql, snapshot: Snapshot): LedgerBooks {
  return {
    balance: accountId => readBalance(sql, accountId),
    async holdFacts(holdId) {
      return (await readResolvedHold(sql, holdId)) ?? (await readOpenHold(sql, holdId))
    },
    statement: (accountId, range) => readStatement(sql, accountId, range),
    async rememberPrices(prices) {
      for (const list of prices) {
        await sql
          .insertInto('price_lists')
          .values(toDbPriceList(list))
          .onConflict(conflict => conflict.column('version').doNothing())
          .execute()
      }
    },
    verify: () => verifyLedger(snapshot),
  }
}

/** An account that is not there has nothing. */
async function readBalance(sql: Sql, accountId: AccountId): Promise<Balance> {
  const row = await sql.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
  return {
    balanceNano: fromDbAmount(row?.balance_nano ?? 0n),
    heldNano: fromDbAmount(row?.held_nano ?? 0n),
    creditedNano: fromDbAmount(row?.credited_nano ?? 0n),
    debitedNano: fromDbAmount(row?.debited_nano ?? 0n),
  }
}

async function readOpenHold(sql: Sql, holdId: HoldId): Promise<HoldFacts | null> {
  const row = await sql
    .selectFrom('holds')
    .innerJoin('accounts', 'accounts.no', 'holds.account_no')
    .select(['amount_nano', 'balance_nano'])
    .where('holds.id', '=', holdId)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    holdId,
    heldNano: fromDbAmount(row.amount_nano),
    settledNano: null,
    state: 'open',
    balanceBeforeNano: fromDbAmount(row.balance_nano),
    balanceAfterNano: null,
  }
}

async function readResolvedHold(sql: Sql, holdId: HoldId): Promise<HoldFacts | null> {
  const row = await sql.selectFrom('usage_records').selectAll().where('hold_id', '=', holdId).executeTakeFirst()
  if (row === undefined) return null
  const settledNano = fromDbAmount(row.cost_nano)
  const balanceBeforeNano = fromDbAmount(row.balance_before_nano)
  return {
    holdId,
    heldNano: fromDbAmount(row.held_nano),
    settledNano,
    state: fromDbNumber(row.swept) === 1 ? 'swept' : settledNano > 0n ? 'settled' : 'released',
    balanceBeforeNano,
    balanceAfterNano: fromDbAmountOrNull(row.balance_after_nano) ?? balanceBeforeNano - settledNano,
  }
}
