import { type Amount, formatUsd } from '../../../core/money.ts'
import { type KeyPrivacy, type KeyType, keyPrivacies, keyTypes, type LimitPeriod, limitPeriods } from '../key-words.ts'
import { uuidOfKey } from '../uuid.ts'
import { type ExactObject, exactJson } from './exact-json.ts'

/** What this surface shows of a key. */
export interface KeyFacts {
  readonly id: string
  readonly type: KeyType
  readonly label: string
  readonly last6: string
  readonly limitNano: Amount | null
  readonly limitDiemNano: Amount | null
  readonly period: LimitPeriod
  readonly privacy: KeyPrivacy
  readonly expiresAtMs: number | null
  readonly createdAtMs: number
}

export interface UsedKeyFacts {
  readonly key: KeyFacts
  /** In the current period: everything but DIEM, and those. */
  readonly spentNano: Amount
  readonly spentDiemNano: Amount
  readonly lastUsedAtMs: number | null
  /** Charged on the last seven days in UTC, today included. */
  readonly sevenDays: { readonly usdNano: Amount; readonly diemNano: Amount }
}

/** `GET /api_keys` (venice.md §6.3). */
export function encodeKeyList(keys: readonly UsedKeyFacts[]): string {
  return exactJson({ object: 'list', data: keys.map(usedKey) })
}

/** `GET /api_keys/{id}`. */
export function encodeUsedKey(key: UsedKeyFacts): string {
  return exactJson({ data: usedKey(key) })
}

/** `POST /api_keys`, where the limits have another name than everywhere else. */
export function encodeNewKey(key: KeyFacts, text: string): string {
  const { id, apiKeyType, description, expiresAt, consumptionLimits, limitPeriod, modelPrivacy } = common(key)
  return exactJson({
    success: true,
    data: {
      ...{ id, apiKey: text, apiKeyType, description, expiresAt },
      consumptionLimit: consumptionLimits,
      ...{ limitPeriod, modelPrivacy },
    },
  })
}

/** `GET /api_keys/generate_web3_key` (venice.md §6.4). */
export function encodeWalletToken(token: string): string {
  return exactJson({ success: true, data: { token } })
}

/** `PATCH /api_keys`. */
export function encodeChangedKey({ key, lastUsedAtMs }: UsedKeyFacts): string {
  return exactJson({ success: true, data: { ...common(key), lastUsedAt: isoTime(lastUsedAtMs) } })
}

/** `DELETE /api_keys`. */
export const keyDeleted = exactJson({ success: true })

function usedKey({ key, spentNano, spentDiemNano, lastUsedAtMs, sevenDays }: UsedKeyFacts): ExactObject {
  const { usdNano, diemNano } = sevenDays
  const isLimited = key.limitNano !== null || key.limitDiemNano !== null
  return {
    ...common(key),
    lastUsedAt: isoTime(lastUsedAtMs),
    usage: { trailingSevenDays: { usd: budgetText(usdNano), vcu: budgetText(0n), diem: budgetText(diemNano) } },
    ...(isLimited ? { currentPeriodUsage: { usd: spentNano, diem: spentDiemNano } } : {}),
  }
}

function common(key: KeyFacts) {
  return {
    id: uuidOfKey(key.id),
    apiKeyType: wordFor(keyTypes, key.type),
    description: key.label,
    createdAt: isoTime(key.createdAtMs),
    expiresAt: isoTime(key.expiresAtMs),
    last6Chars: key.last6,
    consumptionLimits: { usd: key.limitNano, diem: key.limitDiemNano, vcu: null },
    limitPeriod: wordFor(limitPeriods, key.period),
    modelPrivacy: wordFor(keyPrivacies, key.privacy),
  }
}

function wordFor(words: Readonly<Record<string, string>>, value: string): string {
  return Object.keys(words).find(word => words[word] === value) ?? value.toUpperCase()
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** Text with four decimals at least, and as many as there are. */
function budgetText(amount: Amount): string {
  const [whole, fraction = ''] = formatUsd(amount).split('.')
  return `${whole}.${fraction.padEnd(4, '0')}`
}
