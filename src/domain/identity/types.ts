import type { AccountId, KeyId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import type { AccountMode } from '../../core/principal.ts'

export interface Account {
  readonly id: AccountId
  readonly name: string
  readonly mode: AccountMode
  readonly pro: boolean
  readonly diemPerDayNano: Amount
  readonly createdAtMs: number
}

export type LimitPeriod = 'epoch' | 'month' | 'lifetime'
export type KeyPrivacy = 'all' | 'private_text' | 'private_only'

/** A key as it is stored: the secret itself exists only in the answer that created it. */
export interface ApiKey {
  readonly id: KeyId
  readonly accountId: AccountId
  readonly label: string
  readonly type: 'inference' | 'admin'
  readonly last6: string
  /** Spending limit per period; null means none. Spent and held amounts both count. */
  readonly limitNano: Amount | null
  readonly limitDiemNano: Amount | null
  readonly period: LimitPeriod
  readonly privacy: KeyPrivacy
  readonly allowedModels: readonly string[] | null
  /** Own rate limits of the key, on top of the account's; null means none. */
  readonly requestsPerMinute: number | null
  readonly tokensPerMinute: number | null
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

export interface KeySpending {
  readonly spentNano: Amount
  readonly heldNano: Amount
  readonly usageDailyNano: Amount
  readonly usageWeeklyNano: Amount
  readonly usageMonthlyNano: Amount
  readonly usageTotalNano: Amount
}
