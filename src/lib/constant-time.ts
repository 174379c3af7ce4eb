import { createHash, timingSafeEqual } from 'node:crypto'

/**
 * Whether two secrets are the same, in a time that tells nothing about where they differ. Digests are compared, because
 * the comparison wants equal lengths and the lengths themselves are nobody's business.
 */
export function equalsConstantTime(left: string | Uint8Array, right: string | Uint8Array): boolean {
  return timingSafeEqual(digest(left), digest(right))
}

function digest(value: string | Uint8Array): Buffer {
  return createHash('sha256').update(value).digest()
}
