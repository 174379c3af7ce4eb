import type { CreditCurrency } from '../../core/currency.ts'
import type { AccountId, HoldId } from '../../core/ids.ts'
import type { PriceList } from '../../core/price.ts'
import type {
  Balance,
  BookedCharge,
  ChargeQuery,
  HoldFacts,
  LoweredHold,
  ProgressMark,
  RecoveryReport,
  Settlement,
  SettlementResult,
  Statement,
  Transfer,
  VerifyReport,
} from './types.ts'

/**
 * Port: the ledger's book. Everything that resolves a hold goes through `settle`, which is at most once per hold.
 * Every method rejects with `StoreUnavailable` when the outcome is unknown or nothing was written.
 */
export interface LedgerStore {
  /** Posts one transfer; repeating it with the same key and content returns the first one's id. @throws StoreConflict */
  post(transfer: Transfer): Promise<{ readonly transferId: string; readonly repeated: boolean }>
  settle(settlement: Settlement): Promise<SettlementResult>
  /** Written with the next batch; a mark for a resolved hold changes nothing. */
  mark(mark: ProgressMark): Promise<void>
  /**
   * Gives back what an open hold has above the amount, dollars first. A hold that has no more, or was resolved, stays as it
   * is; so asking again changes nothing, and an unknown outcome harms nobody: the hold is larger than it need be.
   */
  lower(hold: LoweredHold): Promise<void>
  /**
   * Resolves every hold that no living process is going to settle: at its last mark, else released. On a store with one
   * gateway those are all but the holds of `processId`; where many share it, a lease says who lives. Called before ready.
   */
  recover(processId: string, atMs: number): Promise<RecoveryReport>
  /** Resolves, in the same way, every hold of one process, which is known to be gone while others run on. */
  recoverFrom(processId: string, atMs: number): Promise<RecoveryReport>
  /** Resolves, in the same way, holds that outlived their deadline by the grace. */
  sweep(atMs: number, graceMs: number): Promise<RecoveryReport>
  balance(accountId: AccountId): Promise<Balance>
  holdFacts(holdId: HoldId): Promise<HoldFacts | null>
  statement(
    accountId: AccountId,
    range: {
      readonly fromMs: number
      readonly toMs: number
      readonly limit: number
      /** Dollars when left out, and with them what was paid in DIEM: an allowance has no balance and no statement of its own. */
      readonly currency?: CreditCurrency
    },
  ): Promise<Statement>
  /** Charges of requests and corrections of them, the oldest first; 1 to 1,001 of them. */
  charges(accountId: AccountId, query: ChargeQuery): Promise<readonly BookedCharge[]>
  /** Remembers a price list under its version, so that records can be checked against it for ever. */
  rememberPrices(prices: readonly PriceList[]): Promise<void>
  verify(): Promise<VerifyReport>
}
