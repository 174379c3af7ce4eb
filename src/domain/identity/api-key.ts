import { createHmac } from 'node:crypto'
import type { AccountId, KeyId } from '../../core/ids.ts'
import { newId } from '../../core/ids.ts'
import type { Random } from '../../core/random.ts'
import type { ApiKey } from './types.ts'

/** 256 bits of chance: nobody guesses a key, so that a keyed hash without a slow function keeps it safe. */
const secretBytes = 32

/** Letters and digits only: a double click selects a whole key, and no terminal wraps in it. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^43 is more than 2^256: each secret has this many characters. */
const secretCharacters = 43

const lastCharacters = 6

/** A key whose secret is about to be shown for the only time. What is stored is `key` and `hash`. */
export interface IssuedKey {
  readonly text: string
  readonly hash: Buffer
  readonly key: ApiKey
}

export interface KeyIssuer {
  /** Begins every key, `vk-` by default (operator.md §3). */
  readonly prefix: string
  readonly secret: Buffer
  readonly random: Random
  readonly nowMs: number
}

/**
 * What is asked for in a new key; everything left out is unlimited, unrestricted and without expiry. An `id` is for orders
 * that count once: no store takes an id twice.
 */
export type KeyOrder = { readonly accountId: AccountId; readonly label: string; readonly id?: KeyId } & Partial<
  Omit<ApiKey, 'id' | 'accountId' | 'label' | 'last6' | 'revokedAtMs' | 'createdAtMs'>
>

const openKey = {
  type: 'inference',
  limitNano: null,
  limitDiemNano: null,
  period: 'lifetime',
  privacy: 'all',
  allowedModels: null,
  requestsPerMinute: null,
  tokensPerMinute: null,
  requestsPerDay: null,
  concurrency: null,
  expiresAtMs: null,
} as const

export function issueApiKey(order: KeyOrder, issuer: KeyIssuer): IssuedKey {
  const text = newSecretText(issuer.prefix, issuer.random)
  const key: ApiKey = {
    ...openKey,
    ...order,
    id: order.id ?? newId('key', issuer.random),
    last6: text.slice(-lastCharacters),
    revokedAtMs: null,
    createdAtMs: issuer.nowMs,
  }
  return { text, hash: hashSecretText(text, issuer.secret), key }
}

/** A prefix and 43 random letters and digits. */
export function newSecretText(prefix: string, random: Random): string {
  let rest = BigInt(`0x${random.hex(secretBytes)}`)
  let text = ''
  for (let index = 0; index < secretCharacters; index++) {
    text += alphabet[Number(rest % 62n)]
    rest /= 62n
  }
  return prefix + text
}

/** HMAC-SHA-256 under the installation's secret: 32 bytes, useless to whoever steals the database alone. */
export function hashSecretText(text: string, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(text).digest()
}
