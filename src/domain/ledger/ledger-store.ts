import type { AccountId, HoldId } from '../../core/ids.ts'
import type { PriceList } from '../../core/price.ts'
import type {
  Balance,
  HoldFacts,
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
  /** Resolves every hold of processes other than `processId`: at its last mark, else released. Called before ready. */
  recover(processId: string, atMs: number): Promise<RecoveryReport>
  /** Resolves, in the same way, holds that outlived their deadline by the grace. */
  sweep(atMs: number, graceMs: number): Promise<RecoveryReport>
  balance(accountId: AccountId): Promise<Balance>
  holdFacts(holdId: HoldId): Promise<HoldFacts | null>
  statement(
    accountId: AccountId,
    range: { readonly fromMs: number; readonly toMs: number; readonly limit: number },
  ): Promise<Statement>
  /** Remembers a price list under its version, so that records can be checked against it for ever. */
  rememberPrices(prices: readonly PriceList[]): Promise<void>
  verify(): Promise<VerifyReport>
}
