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

/**
 * Ids that sort by the time they were made: 12 hexadecimal characters of milliseconds, the rest random bits. An index over
 * them grows at its end instead of all over, which makes writing a record half as dear; use them for what is stored once
 * per request.
 */
export function newOrderedId(prefix: IdPrefix, random: Random, atMs: number): string {
  return `${prefix}_${timePrefix(atMs)}${random.hex(6)}`
}

/** A completion's id that sorts by time (see newOrderedId); its 80 random bits keep it as hard to guess as before. */
export function newOrderedCompletionId(random: Random, atMs: number): string {
  return `chatcmpl-${timePrefix(atMs)}${random.hex(10)}`
}

const timeDigits = 12

function timePrefix(atMs: number): string {
  return Math.floor(atMs).toString(16).padStart(timeDigits, '0')
}
