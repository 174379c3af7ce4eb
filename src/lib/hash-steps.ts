import { createHash } from 'node:crypto'
import { type Steps, turnBytes } from './turns.ts'

/** SHA-256 of the bytes. */
export function* sha256Steps(bytes: Uint8Array): Steps<Buffer> {
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.length; at += turnBytes) {
    if (at > 0) yield
    hash.update(bytes.subarray(at, at + turnBytes))
  }
  return hash.digest()
}
