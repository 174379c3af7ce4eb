import { describe, expect, it } from 'vitest'
import type { AskedErrorBudget } from '../../src/domain/admission/types.ts'
import { bucketsPerOwnerMax } from '../../src/domain/limits/failure-store.ts'
import { buildRequest, nowMs } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

const windowMs = 30_000
const budget: AskedErrorBudget = { user: '', failed: 3, unsupported: 2, windowMs }

export function failuresSuite(open: OpenStorage): void {
  const bucketOf = (owner: string, change: { model?: string; user?: string } = {}) => ({
    owner,
    model: 'venym/qwen-27b',
    user: '',
    ...change,
  })

  describe('limits: failures', () => {
    it('are counted by kind, each once however many come at once, and each bucket for itself', async () => {
      const { failures } = await open()
      const bucket = bucketOf('key_count')
      const count = (kind: 'failed' | 'unsupported') => failures.count({ bucket, kind, windowMs, nowMs })
      const seen = await Promise.all(Array.from({ length: 60 }, () => count('failed')))
      expect(seen.map(({ failed }) => failed).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 60 }, (_, index) => index + 1),
      )
      expect(await count('unsupported')).toEqual({ failed: 60, unsupported: 1, endsAtMs: nowMs + windowMs })
      expect(await failures.read(bucket)).toEqual({ failed: 60, unsupported: 1, endsAtMs: nowMs + windowMs })
      expect(await failures.read({ ...bucket, user: 'u' })).toBeNull()
      expect(await failures.read({ ...bucket, model: 'm' })).toBeNull()
      expect(await failures.read({ ...bucket, owner: 'key_other' })).toBeNull()
    })

    it('begin anew when the window is over, and when it ends later than any can', async () => {
      const { failures } = await open()
      const bucket = bucketOf('key_windows')
      const countAt = (atMs: number) => failures.count({ bucket, kind: 'failed', windowMs, nowMs: atMs })
      await countAt(nowMs)
      expect(await countAt(nowMs + windowMs - 1)).toEqual({ failed: 2, unsupported: 0, endsAtMs: nowMs + windowMs })
      const second = { failed: 1, unsupported: 0, endsAtMs: nowMs + 2 * windowMs }
      expect(await countAt(nowMs + windowMs)).toEqual(second)
      expect(await countAt(nowMs)).toEqual({ ...second, failed: 2 })
      expect(await countAt(nowMs - 1)).toEqual({ failed: 1, unsupported: 0, endsAtMs: nowMs - 1 + windowMs })
    })

    it('of users beyond a number count together, in the bucket without a user', async () => {
      const { failures } = await open()
      const count = (user: string) =>
        failures.count({ bucket: bucketOf('key_users', { user }), kind: 'failed', windowMs, nowMs })
      for (let user = 0; user < bucketsPerOwnerMax; user++)
        expect(await count(`user-${user}`)).toMatchObject({ failed: 1 })
      expect(await count('one-more')).toMatchObject({ failed: 1 })
      expect(await count('another')).toMatchObject({ failed: 2 })
      expect(await count('user-0')).toMatchObject({ failed: 2 })
      expect(await failures.read(bucketOf('key_users', { user: 'another' }))).toBeNull()
      expect(await failures.read(bucketOf('key_users'))).toMatchObject({ failed: 2 })
    })

    it('are removed when their windows are over, a bounded number at a time', async () => {
      const { failures } = await open()
      const ancientMs = 1_000_000
      for (let index = 0; index < 5; index++)
        await failures.count({ bucket: bucketOf(`key_old_${index}`), kind: 'failed', windowMs, nowMs: ancientMs })
      expect(await failures.prune(ancientMs + windowMs - 1, 10)).toBe(0)
      expect(await failures.prune(ancientMs + windowMs, 3)).toBe(3)
      expect(await failures.prune(ancientMs + windowMs, 3)).toBe(2)
      expect(await failures.prune(ancientMs + windowMs, 3)).toBe(0)
    })
  })

  describe('admission within an error budget', () => {
    it('tells what was counted, and refuses everything of the bucket once a kind is used up', async () => {
      const storage = await open()
      const { admission, failures, ledger } = storage
      const { account, key } = await addCustomer(storage, { balanceNano: 1_000_000_000_000n })
      const ask = (errorBudget: AskedErrorBudget | null, model = 'venym/qwen-27b') =>
        admission.admit(buildRequest(key, { errorBudget, model }))
      const fail = (kind: 'failed' | 'unsupported', user = '') =>
        failures.count({ bucket: bucketOf(key.id, { user }), kind, windowMs, nowMs })
      const none = { failed: 0, unsupported: 0, endsAtMs: nowMs + windowMs }
      expect(await ask(budget)).toMatchObject({ admitted: true, failures: none })
      await fail('failed')
      await fail('failed')
      await fail('unsupported')
      expect(await ask(budget)).toMatchObject({ admitted: true, failures: { ...none, failed: 2, unsupported: 1 } })
      await fail('failed')
      const held = (await ledger.balance(account.id)).heldNano
      expect(await ask(budget)).toEqual({
        admitted: false,
        reason: 'error_budget',
        neededNano: 0n,
        availableNano: 0n,
        limit: 3,
        retryAfterMs: windowMs,
        rates: null,
        balances: null,
        failures: { ...none, failed: 3, unsupported: 1 },
      })
      expect((await ledger.balance(account.id)).heldNano).toBe(held)
      expect(await ask({ ...budget, user: 'u' })).toMatchObject({ admitted: true, failures: none })
      expect(await ask(budget, 'another/model')).toMatchObject({ admitted: true })
      const unbounded = { ...budget, failed: 'unlimited', unsupported: 'unlimited' } as const
      expect(await ask(unbounded)).toMatchObject({ admitted: true, failures: { failed: 3 } })
      expect(await ask(null)).not.toHaveProperty('failures')
      await fail('unsupported', 'u')
      await fail('unsupported', 'u')
      expect(await ask({ ...budget, user: 'u' })).toMatchObject({ reason: 'error_budget', limit: 2 })
      expect(await ask({ ...budget, failed: 0, user: 'v' })).toMatchObject({ reason: 'error_budget', limit: 0 })
    })

    it('decides many at once, those with a budget and those without', async () => {
      const storage = await open()
      const { admission, failures } = storage
      const { key } = await addCustomer(storage, { balanceNano: 1_000_000_000_000n })
      for (let count = 0; count < 3; count++)
        await failures.count({ bucket: bucketOf(key.id), kind: 'failed', windowMs, nowMs })
      const budgets = Array.from({ length: 30 }, (_, index) => [budget, null, { ...budget, user: 'u' }][index % 3])
      const decisions = await Promise.all(
        budgets.map(errorBudget => admission.admit(buildRequest(key, { errorBudget: errorBudget ?? null }))),
      )
      expect(decisions.map(({ admitted }) => admitted)).toEqual(budgets.map((_, index) => index % 3 !== 0))
    })
  })
}
