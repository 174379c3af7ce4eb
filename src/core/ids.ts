import type { Random } from './random.ts'

/**
 * Ids are a prefix that names the kind and 24 hexadecimal characters (96 random bits).
 * A completion's id is the exception: `chatcmpl-` and 32 characters (venym.md §3).
 */
export type AccountId = string
export type KeyId = string
export type HoldId = string
export type RequestId = string
export type TransferId = string

export type IdPrefix = 'acc' | 'key' | 'req' | 'hold' | 'xfer' | 'proc'

export function newId(prefix: IdPrefix, random: Random): string {
  return `${prefix}_${random.hex(12)}`
}

export function newCompletionId(random: Random): string {
  return `chatcmpl-${random.hex(16)}`
}
