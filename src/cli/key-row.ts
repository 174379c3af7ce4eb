import { type Amount, formatUsd } from '../core/money.ts'
import type { ApiKey } from '../domain/identity/types.ts'
import { renderTable } from './render-table.ts'

/** A key as `--json` prints it (operator.md §6), without what stands for the secret. */
export function encodeKey(key: ApiKey, account: string) {
  return {
    account,
    type: key.type,
    expiresAt: isoOrNull(key.expiresAtMs),
    limitUsd: key.limitNano === null ? null : formatUsd(key.limitNano),
    ...(key.limitDiemNano === null ? {} : { limitDiem: formatUsd(key.limitDiemNano) }),
    period: key.period,
    privacy: key.privacy,
    ...ratesOf(key),
  }
}

/** Only what is limited, so that keys without rates read as the contract has them. */
function ratesOf({ requestsPerMinute, tokensPerMinute, requestsPerDay, concurrency }: ApiKey) {
  return {
    ...(requestsPerMinute === null ? {} : { requestsPerMinute }),
    ...(tokensPerMinute === null ? {} : { tokensPerMinute }),
    ...(requestsPerDay === null ? {} : { requestsPerDay }),
    ...(concurrency === null ? {} : { concurrency }),
  }
}

export interface ListedKey {
  readonly key: ApiKey
  readonly account: string
}

/** A row of `key list`: the last characters tell keys apart, the rest was never stored. Revoked ones say when. */
export function encodeListedKey({ key, account }: ListedKey, withRevoked: boolean) {
  const { id, last6 } = key
  return {
    id,
    last6,
    ...encodeKey(key, account),
    ...(withRevoked ? { revokedAt: isoOrNull(key.revokedAtMs) } : {}),
  }
}

export function renderKeys(keys: readonly ListedKey[], nowMs: number): string {
  const head = ['ID', 'KEY', 'ACCOUNT', 'TYPE', 'LABEL', 'LIMIT', 'EXPIRES', 'STATE']
  return renderTable([head, ...keys.map(listed => cellsOf(listed, nowMs))])
}

function cellsOf({ key, account }: ListedKey, nowMs: number): string[] {
  const limits = [limitText(key.limitNano, 'USD'), limitText(key.limitDiemNano, 'DIEM')].filter(text => text !== '')
  const limit = limits.length === 0 ? 'none' : `${limits.join(' + ')} ${periodText[key.period]}`
  const expires = isoOrNull(key.expiresAtMs) ?? 'never'
  return [key.id, `…${key.last6}`, account, key.type, key.label, limit, expires, stateOf(key, nowMs)]
}

function limitText(limitNano: Amount | null, unit: string): string {
  return limitNano === null ? '' : `${formatUsd(limitNano)} ${unit}`
}

const periodText = { epoch: 'a day', month: 'a month', lifetime: 'in all' } as const

function stateOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): string {
  if (revokedAtMs !== null) return 'revoked'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'valid'
}

function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
