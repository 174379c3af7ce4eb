import { formatUsd } from '../core/money.ts'
import type { ApiKey } from '../domain/identity/types.ts'
import { renderTable } from './render-table.ts'

/** A key as `--json` prints it (operator.md §6), without what stands for the secret. */
export function encodeKey(key: ApiKey, account: string) {
  return {
    account,
    type: key.type,
    expiresAt: isoOrNull(key.expiresAtMs),
    limitUsd: key.limitNano === null ? null : formatUsd(key.limitNano),
    period: key.period,
    privacy: key.privacy,
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
  const limit = key.limitNano === null ? 'none' : `${formatUsd(key.limitNano)} USD ${periodText[key.period]}`
  const expires = isoOrNull(key.expiresAtMs) ?? 'never'
  return [key.id, `…${key.last6}`, account, key.type, key.label, limit, expires, stateOf(key, nowMs)]
}

const periodText = { epoch: 'a day', month: 'a month', lifetime: 'in all' } as const

function stateOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): string {
  if (revokedAtMs !== null) return 'revoked'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'valid'
}

function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
