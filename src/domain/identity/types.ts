import type { AccountId, KeyId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import type { AccountMode, KeyPrivacy } from '../../core/principal.ts'

export interface Account {
  readonly id: AccountId
  readonly name: string
  readonly mode: AccountMode
  readonly pro: boolean
  readonly diemPerDayNano: Amount
  readonly createdAtMs: number
}

export type LimitPeriod = 'epoch' | 'month' | 'lifetime'
export type { KeyPrivacy } from '../../core/principal.ts'

/** A key as it is stored: the secret itself exists only in the answer that created it. */
export interface ApiKey {
  readonly id: KeyId
  readonly accountId: AccountId
  readonly label: string
  readonly type: 'inference' | 'admin'
  readonly last6: string
  /**
   * Spending limits per period; null means none. Spent and held amounts both count. That in dollars is of everything but
   * DIEM; a key with the other one alone ends with it, whatever else the account has.
   */
  readonly limitNano: Amount | null
  readonly limitDiemNano: Amount | null
  readonly period: LimitPeriod
  readonly privacy: KeyPrivacy
  readonly allowedModels: readonly string[] | null
  /** Own rate limits of the key, on top of the account's; null means none. */
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
  /** Days begin at 00:00 UTC. */
  readonly requestsPerDay: number | null
  readonly concurrency: number | null
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  readonly createdAtMs: number
}

/** What authentication needs about a key, found by the key's hash. */
export interface KnownKey {
  readonly key: ApiKey
  readonly account: Account
}

/** What a key's holder may change of it; what is left out stays. */
export type KeyChange = Partial<
  Pick<ApiKey, 'label' | 'limitNano' | 'limitDiemNano' | 'period' | 'privacy' | 'expiresAtMs'>
>

/** How many keys an account may have, and make. */
export interface KeyQuota {
  /** Keys that are neither revoked nor expired. */
  readonly activeMax: number
  /** Keys that were made since `newSinceMs`, revoked ones too. */
  readonly newMax: number
  readonly newSinceMs: number
}

/** A key with what it was used for. */
export interface UsedKey {
  readonly key: ApiKey
  /** Charged in the current period of its limit. */
  readonly spentNano: Amount
  /** The same in DIEM, which the other one does not count. */
  readonly spentDiemNano: Amount
  /** When the last request began that was admitted with it and is over; null before the first. */
  readonly lastUsedAtMs: number | null
}

/** Of everything but DIEM. */
export interface KeySpending {
  readonly spentNano: Amount
  readonly heldNano: Amount
  readonly usageDailyNano: Amount
  readonly usageWeeklyNano: Amount
  readonly usageMonthlyNano: Amount
  readonly usageTotalNano: Amount
}
