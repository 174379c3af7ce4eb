import { Buffer } from 'node:buffer'

/** Integers come as bigint, number or text, depending on the driver (see tables.ts). */
export type RawInteger = bigint | number | string

export function fromDbAmount(value: RawInteger): bigint {
  return typeof value === 'bigint' ? value : BigInt(value)
}

export function fromDbAmountOrNull(value: RawInteger | null): bigint | null {
  return value === null ? null : fromDbAmount(value)
}

/** @throws RangeError for an integer beyond 2^53, which no count, time or rate of ours reaches. */
export function fromDbNumber(value: RawInteger): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError('a stored number is not a safe integer')
  return number
}

export function fromDbNumberOrNull(value: RawInteger | null): number | null {
  return value === null ? null : fromDbNumber(value)
}

export function fromDbFlag(value: RawInteger): boolean {
  return Number(value) !== 0
}

export function toDbFlag(value: boolean): number {
  return value ? 1 : 0
}

/** Bytes come as Buffer, Uint8Array or ArrayBuffer, depending on the driver. */
export function fromDbBytes(value: Uint8Array | ArrayBuffer): Buffer {
  return value instanceof ArrayBuffer
    ? Buffer.from(value)
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

/** One of a closed list of words. @throws RangeError when the store holds another: written by a newer version, or damaged. */
export function fromDbWord<W extends string>(value: string, words: readonly W[]): W {
  const word = words.find(known => known === value)
  if (word === undefined) throw new RangeError('a stored word is not one of those known here')
  return word
}
