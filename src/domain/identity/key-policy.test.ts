import { describe, expect, it } from 'vitest'
import { testModel } from '../../../test/support/model-builder.ts'
import type { Principal } from '../../core/principal.ts'
import { checkModelAllowed, isKeyUsable, isModelShown } from './key-policy.ts'

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

const principal: Principal = {
  accountId: 'acc_1',
  accountName: 'a',
  keyId: 'key_1',
  keyType: 'inference',
  allowedModels: null,
  privacy: 'all',
  pro: false,
}
const model = testModel({ id: 'a/b' })

describe('a key’s list of models', () => {
  it('lets those through that it names, and everything where there is no list', () => {
    expect(() => checkModelAllowed(principal, model)).not.toThrow()
    expect(() => checkModelAllowed({ ...principal, allowedModels: new Set(['a/b']) }, model)).not.toThrow()
  })

  it.each([[new Set(['a/c'])], [new Set<string>()]])('answers 403 for the others', allowedModels => {
    expect(() => checkModelAllowed({ ...principal, allowedModels }, model)).toThrow(
      expect.objectContaining({ status: 403, code: 'model_not_allowed', options: { param: 'model' } }),
    )
  })
})

describe('a key’s privacy', () => {
  it.each([
    ['all', 'anonymized', 'text', true],
    ['private_text', 'anonymized', 'text', false],
    ['private_text', 'anonymized', 'embedding', true],
    ['private_only', 'anonymized', 'embedding', false],
    ['private_only', 'private', 'text', true],
    ['private_only', 'tee', 'text', true],
    ['private_text', 'e2ee', 'text', true],
  ] as const)('of %s and a model that is %s (%s): allowed %s', (privacy, open, type, allowed) => {
    const asked = { ...model, privacy: open, type }
    expect(isModelShown({ privacy }, asked)).toBe(allowed)
    const check = () => checkModelAllowed({ ...principal, privacy }, asked)
    if (allowed) expect(check).not.toThrow()
    else expect(check).toThrow(/^This API key is set to 'PRIVATE_.*', but `a\/b` is an Anonymous model\./)
  })
})

it('a model for subscribers asks for a subscription', () => {
  const asked = { ...model, proOnly: true }
  expect(() => checkModelAllowed(principal, asked)).toThrow(expect.objectContaining({ code: 'subscription_required' }))
  expect(() => checkModelAllowed({ ...principal, pro: true }, asked)).not.toThrow()
})
