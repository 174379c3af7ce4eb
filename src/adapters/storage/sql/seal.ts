import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Random } from '../../../core/random.ts'

/**
 * Encrypts what must not be readable in the database's file: stored answers to requests with an idempotency key, and the
 * configuration that gateways share, which may hold keys of engines.
 */
export interface Seal {
  /** `context` is authenticated with the content: sealed bytes open only where they belong. */
  close(content: Buffer, context: string): Buffer
  /** @throws Error when the bytes were changed, belong elsewhere, or were sealed with another secret. */
  open(sealed: Buffer, context: string): Buffer
}

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM with a random nonce per message, laid out as nonce, tag, ciphertext. The key is derived from the
 * installation's secret for this use alone, so that no other use of the secret can give it away.
 */
export function createSeal(secret: Buffer, random: Pick<Random, 'bytes'>): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), 'rialto stored answers', keyBytes))
  return {
    close(content, context) {
      const nonce = random.bytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const encrypted = Buffer.concat([cipher.update(content), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
    },
    open(sealed, context) {
      const nonce = sealed.subarray(0, nonceBytes)
      const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
    },
  }
}
