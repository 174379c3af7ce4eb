import { describe, expect, it } from 'vitest'
import { checkModelAllowed, isKeyUsable } from './key-policy.ts'

describe('a key counts', () => {
  it('until the millisecond of its expiry', () => {
    expect(isKeyUsable({ revokedAtMs: null, expiresAtMs: 1_000 }, 999)).toBe(true)
    expect(isKeyUsable({ revokedAtMs: null, expiresAtMs: 1_000 }, 1_000)).toBe(false)
  })

  it('never again once it is revoked, and for ever without expiry', () => {
    expect(isKeyUsable({ revokedAtMs: 5_000, expiresAtMs: null }, 1_000)).toBe(false)
    expect(isKeyUsable({ revokedAtMs: null, expiresAtMs: null }, Number.MAX_SAFE_INTEGER)).toBe(true)
  })
})

describe('a key’s list of models', () => {
  it('lets those through that it names, and everything where there is no list', () => {
    expect(() => checkModelAllowed({ allowedModels: null }, 'a/b')).not.toThrow()
    expect(() => checkModelAllowed({ allowedModels: new Set(['a/b']) }, 'a/b')).not.toThrow()
  })

  it.each([[new Set(['a/c'])], [new Set<string>()]])('answers 403 for the others', allowedModels => {
    expect(() => checkModelAllowed({ allowedModels }, 'a/b')).toThrow(
      expect.objectContaining({ status: 403, code: 'model_not_allowed', options: { param: 'model' } }),
    )
  })
})
