import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Random } from '../../core/random.ts'
import { hashSecretText, issueApiKey, newSecretText } from './api-key.ts'

const random: Random = { bytes: randomBytes, hex: count => randomBytes(count).toString('hex') }
const filled = (byte: string): Random => ({ bytes: randomBytes, hex: count => byte.repeat(count) })
const secret = Buffer.alloc(32, 7)
const issuer = { prefix: 'vk-', secret, random, nowMs: 1_790_000_000_000 }

describe('the text of a key', () => {
  it('is the prefix and 43 letters and digits', () => {
    for (let count = 0; count < 200; count++) expect(newSecretText('vk-', random)).toMatch(/^vk-[0-9A-Za-z]{43}$/)
  })

  it('carries all 256 random bits: every bit of chance changes it, the last one too', () => {
    const texts = new Set<string>()
    for (let bit = 0n; bit < 256n; bit++) {
      const hex = (1n << bit).toString(16).padStart(64, '0')
      texts.add(newSecretText('', { bytes: randomBytes, hex: () => hex }))
    }
    texts.add(newSecretText('', filled('00')))
    texts.add(newSecretText('', filled('ff')))
    expect(texts.size).toBe(258)
  })
})

describe('an issued key', () => {
  it('is stored as a keyed hash and its last six characters, never as text', () => {
    const { text, hash, key } = issueApiKey({ accountId: 'acc_1', label: 'ci' }, issuer)
    expect(hash).toEqual(createHmac('sha256', secret).update(text).digest())
    expect(key.last6).toBe(text.slice(-6))
    const stored = JSON.stringify({ ...key, hash: hash.toString('hex') })
    expect(stored).not.toContain(text.slice(3, -6))
  })

  it('is open for inference and unlimited unless something else is asked for', () => {
    const { key } = issueApiKey({ accountId: 'acc_1', label: 'ci' }, issuer)
    expect(key).toMatchObject({
      accountId: 'acc_1',
      label: 'ci',
      type: 'inference',
      limitNano: null,
      period: 'lifetime',
      privacy: 'all',
      allowedModels: null,
      expiresAtMs: null,
      revokedAtMs: null,
      createdAtMs: 1_790_000_000_000,
    })
    const limited = issueApiKey(
      { accountId: 'acc_1', label: 'ci', type: 'admin', limitNano: 5n, period: 'month' },
      issuer,
    )
    expect(limited.key).toMatchObject({ type: 'admin', limitNano: 5n, period: 'month' })
  })

  it('has another hash under another secret', () => {
    expect(hashSecretText('vk-1', secret).equals(hashSecretText('vk-1', Buffer.alloc(32, 8)))).toBe(false)
  })
})
