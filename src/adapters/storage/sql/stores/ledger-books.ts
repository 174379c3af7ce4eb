import { sumOfParts } from '../../../../core/currency.ts'
import type { AccountId, HoldId } from '../../../../core/ids.ts'
import type { LedgerStore } from '../../../../domain/ledger/ledger-store.ts'
import type { Balance, HoldFacts } from '../../../../domain/ledger/types.ts'
import { fromDbAmount, fromDbAmountOrNull, fromDbNumber } from '../mapping.ts'
import { fromDbFunds } from '../other-funds.ts'
import { toDbPriceList } from '../price-list.ts'
import type { Snapshot } from '../snapshot.ts'
import type { Sql } from '../tables.ts'
import { decodeParts } from '../texts/currency-parts.ts'
import { verifyLedger } from '../verify/verify-ledger.ts'
import { readCharges } from './booked-charges.ts'
import { readStatement } from './statement.ts'
import { findRecord, type RecordPlaces } from './usage-records.ts'

/** The part of the ledger that reads the books, and what does not move money. */
export type LedgerBooks = Pick<
  LedgerStore,
  'balance' | 'holdFacts' | 'statement' | 'charges' | 'rememberPrices' | 'verify'
>

/** All methods but `verify` are to be called inside one transaction; that one takes its snapshots itself. */
export function createLedgerBooks(places: RecordPlaces, snapshot: Snapshot): LedgerBooks {
  const { sql } = places
  return {
    balance: accountId => readBalance(sql, accountId),
    async holdFacts(holdId) {
      return (await readResolvedHold(places, holdId)) ?? (await readOpenHold(sql, holdId))
    },
    statement: (accountId, range) => readStatement(places, accountId, range),
    charges: (accountId, query) => readCharges(places, accountId, query),
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
    funds: fromDbFunds(row),
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

async function readResolvedHold(places: RecordPlaces, holdId: HoldId): Promise<HoldFacts | null> {
  const row = await findRecord(places, 'hold_id', holdId)
  if (row === null) return null
  const settledNano = fromDbAmount(row.cost_nano)
  const paidUsdNano = settledNano - sumOfParts(decodeParts(row.paid_parts))
  const balanceBeforeNano = fromDbAmount(row.balance_before_nano)
  return {
    holdId,
    heldNano: fromDbAmount(row.held_nano),
    settledNano,
    state: fromDbNumber(row.swept) === 1 ? 'swept' : settledNano > 0n ? 'settled' : 'released',
    balanceBeforeNano,
    balanceAfterNano: fromDbAmountOrNull(row.balance_after_nano) ?? balanceBeforeNano - paidUsdNano,
  }
}
