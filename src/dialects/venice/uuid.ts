import { createHash } from 'node:crypto'

/**
 * Ids of this surface are UUIDs, because its clients check them. They are of version 8, whose bits are ours to fill
 * (RFC 9562 §5.8): 18 digits around version and variant, then a group of which half is free.
 */
const uuid = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{3})-8([0-9a-f]{3})-([0-9a-f]{6})([0-9a-f]{6})$/i

const keyIdDigits = /^key_([0-9a-f]{24})$/
const keyTail = '000000'

/** A key's id as this surface shows it; `keyIdOf` leads back. @throws RangeError for an id of another form */
export function uuidOfKey(keyId: string): string {
  const digits = keyIdDigits.exec(keyId)?.[1]
  if (digits === undefined) throw new RangeError('a key id is key_ and 24 hexadecimal digits')
  return uuidFrom(digits + keyTail)
}

/** The id of the key that a caller names; null for what no key can be called. */
export function keyIdOf(text: string): string | null {
  const [, a, b, c, d, e, tail] = uuid.exec(text) ?? []
  return tail === keyTail ? `key_${a}${b}${c}${d}${e}`.toLowerCase() : null
}

/** A character is known by its slug; its id is made of it, so that it is the same on every gateway. */
export function uuidOfCharacter(slug: string): string {
  return uuidFrom(createHash('sha256').update(`character:${slug}`).digest('hex'))
}

function uuidFrom(digits: string): string {
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(12, 15)}`,
    `8${digits.slice(15, 18)}`,
    digits.slice(18, 30),
  ].join('-')
}
