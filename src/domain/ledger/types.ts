import type { Currency, CurrencyParts, OtherFunds } from '../../core/currency.ts'
import type { AccountId, HoldId, KeyId, RequestId, TransferId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import type { ChargeLine, Fees, PriceList } from '../../core/price.ts'
import type { StoredUsageRecord, UsageRecord } from '../usage/types.ts'

/** `customer:<id>`, `funding:<source>`, `revenue`, `promo` or `writeoff` (money.md §2). */
export type LedgerAccount = string

/** The closed list of reasons for which money moves. */
export type TransferCode = 'usage' | 'grant' | 'topup' | 'refund' | 'adjust' | 'clawback'

/** Immutable: debits one ledger account and credits another by the same amount, which is above zero. */
export interface Transfer {
  readonly id: TransferId
  readonly code: TransferCode
  readonly debit: LedgerAccount
  readonly credit: LedgerAccount
  /** The asset that moves; an amount never changes from one into another. */
  readonly currency: Currency
  readonly amountNano: Amount
  readonly holdId: HoldId | null
  readonly note: string
  /** Makes repeating the transfer harmless: the same key with the same content is the same transfer. */
  readonly idempotencyKey: string
  readonly createdAtMs: number
}

/** In dollars, but for `funds`. */
export interface Balance {
  /** Sum of all entries. */
  readonly balanceNano: Amount
  /** Sum of open holds. */
  readonly heldNano: Amount
  /** Everything ever credited and everything ever debited, both positive. */
  readonly creditedNano: Amount
  readonly debitedNano: Amount
  readonly funds: OtherFunds
}

/** Resolves a hold: at most one settlement per hold ever has an effect (money.md §2). */
export interface Settlement {
  readonly holdId: HoldId
  /** What is to be charged; the store never takes more than the hold (the rest is `writeoffNano`). */
  readonly chargeNano: Amount
  readonly lines: readonly ChargeLine[]
  /** What the engine reported above the hold, or what our fault gave away. */
  readonly writeoffNano: Amount
  /** Tokens really used, which correct the tokens that admission took from the rate buckets. */
  readonly tokensUsed: number
  /**
   * Set when the outcome is free by policy: beyond the account's allowance of free failures in the hour, this charge is
   * taken instead (money.md §3). `allowancePerHour` 0 means that no failure is free.
   */
  readonly freeFailure: {
    readonly allowancePerHour: number
    readonly chargeNano: Amount
    readonly lines: readonly ChargeLine[]
  } | null
  /** Everything but the amounts, which the store writes from what it really took. */
  readonly record: UsageRecord
  readonly atMs: number
}

export interface SettlementResult {
  /** `settled`: this call resolved it. `already`: somebody did before. `adjusted`: a late entry posted the difference. */
  readonly effect: 'settled' | 'already' | 'adjusted'
  readonly chargedNano: Amount
  /** What of it was not paid in dollars. */
  readonly paid: CurrencyParts | null
  readonly lines: readonly ChargeLine[]
}

/** Durable progress of a running request: what it would be charged if the process died now (money.md §2 "Crash"). */
export interface ProgressMark {
  readonly holdId: HoldId
  readonly chargeNano: Amount
  readonly promptTokens: number
  readonly completionTokens: number
  /** What is owed beside tokens, as part of the charge. */
  readonly fees: Fees
  readonly atMs: number
}

/** What a hold is lowered to once less can be charged than was thought. */
export interface LoweredHold {
  readonly holdId: HoldId
  /** The whole hold, 0 or more. */
  readonly amountNano: Amount
}

export interface RecoveryReport {
  readonly charged: number
  readonly released: number
}

export interface StatementLine {
  readonly transferId: TransferId
  readonly code: TransferCode
  /** Positive when the account gained, negative when it paid. 0 for what was paid with the allowance. */
  readonly amountNano: Amount
  /** The same in DIEM, which have no balance; only in a statement in dollars. */
  readonly diemNano: Amount
  readonly balanceNano: Amount
  readonly requestId: RequestId | null
  readonly keyId: KeyId | null
  readonly note: string
  readonly atMs: number
}

export interface Statement {
  readonly accountId: AccountId
  readonly openingNano: Amount
  readonly closingNano: Amount
  readonly lines: readonly StatementLine[]
}

/** Where a charge stands in the order of time and, within a millisecond, of booking. */
export interface ChargePlace {
  readonly atMs: number
  readonly seq: number
}

export interface ChargeQuery {
  /** Booked from this on, and before that. */
  readonly fromMs: number
  readonly toMs: number
  /** Null for all. */
  readonly currency: Currency | null
  /** The last charge that was seen; null begins at `fromMs`. */
  readonly after: ChargePlace | null
  readonly limit: number
}

/** The charge of a request in one currency, or the correction of one, as it was booked. */
export interface BookedCharge {
  readonly place: ChargePlace
  readonly currency: Currency
  /** Negative when the account paid, positive when a correction gave back. */
  readonly amountNano: Amount
  /** Null when its record was pruned. */
  readonly request: ChargedRequest | null
}

export interface ChargedRequest
  extends Pick<StoredUsageRecord, 'requestId' | 'generationId' | 'keyId' | 'model' | 'usage' | 'totalMs' | 'lines'> {
  /** True when more than one currency paid. */
  readonly isShared: boolean
  /** The prices that it was charged by. */
  readonly prices: PriceList | null
}

/** What `ledger verify` found: `ok` only when every entry, hold and usage record agrees to the nano-USD (money.md §6). */
export interface VerifyReport {
  readonly ok: boolean
  readonly accounts: number
  readonly transfers: number
  readonly holdsOpen: number
  readonly usageRecords: number
  readonly problems: readonly string[]
  /** Debits whose cost was never delivered: aborts and crashes. Not problems. */
  readonly undelivered: readonly string[]
}

export interface HoldFacts {
  readonly holdId: HoldId
  readonly heldNano: Amount
  readonly settledNano: Amount | null
  readonly state: 'open' | 'settled' | 'released' | 'swept'
  /** Balances are in dollars. */
  readonly balanceBeforeNano: Amount
  readonly balanceAfterNano: Amount | null
}
