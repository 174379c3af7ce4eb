import { describe, expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import type { ApiKey } from '../../src/domain/identity/types.ts'
import { buildKey, buildRequest, buildSettlement, hashOf, nowMs, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

const day = 86_400_000
const minute = 60_000

async function spend({ admission, ledger }: Storage, key: ApiKey, [chargeNano, atMs]: readonly [bigint, number]) {
  const request = buildRequest(key, { nowMs: atMs })
  await admission.admit(request)
  await ledger.settle(buildSettlement(request, chargeNano, { atMs }))
}

export function keysSuite(open: OpenStorage): void {
  describe('identity: keys that their holders manage', () => {
    it('makes keys up to the number that may be active, and again when one is gone', async () => {
      const { identity, ...rest } = await open()
      const { account, key } = await addCustomer({ identity, ...rest })
      const make = (change: Partial<ApiKey> = {}) => {
        const made = buildKey(account.id, { createdAtMs: nowMs, ...change })
        return identity.createKeyWithin(made, hashOf(made), { activeMax: 3, newMax: 100, newSinceMs: 0 })
      }
      expect(await Promise.all([make(), make(), make(), make()])).toEqual(
        expect.arrayContaining(['created', 'created', 'too_many_active', 'too_many_active']),
      )
      await identity.revokeKey(key.id, nowMs)
      expect(await make({ expiresAtMs: nowMs + 1 })).toBe('created')
      expect(await make()).toBe('too_many_active')
      expect(await make({ createdAtMs: nowMs + 1 })).toBe('created')
    })

    it('makes no more keys in a time than the quota says, revoked ones counted', async () => {
      const { identity, ...rest } = await open()
      const { account } = await addCustomer({ identity, ...rest })
      const make = async (atMs: number) => {
        const made = buildKey(account.id, { createdAtMs: atMs })
        const quota = { activeMax: 100, newMax: 2, newSinceMs: atMs - minute }
        const result = await identity.createKeyWithin(made, hashOf(made), quota)
        await identity.revokeKey(made.id, atMs)
        return result
      }
      expect(await make(nowMs)).toBe('created')
      expect(await make(nowMs + 1)).toBe('too_many_new')
      expect(await make(nowMs + minute)).toBe('created')
    })

    it('lists the keys that count, the newest first, with what they spent and when they were last used', async () => {
      const storage = await open()
      const { identity } = storage
      const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd, key: { period: 'epoch' } })
      const others = [
        buildKey(account.id, { revokedAtMs: nowMs - 1 }),
        buildKey(account.id, { expiresAtMs: nowMs }),
        buildKey(account.id, { expiresAtMs: nowMs + 1 }),
      ]
      for (const other of others) await identity.createKey(other, hashOf(other))
      await spend(storage, key, [7n, nowMs - 2 * day])
      await spend(storage, key, [5n, nowMs - minute])
      const list = (keyId: string | null, atMs: number = nowMs) =>
        identity.listUsedKeys(account.id, { keyId, nowMs: atMs })
      const used = { key, spentNano: 5n, spentDiemNano: 0n, lastUsedAtMs: nowMs - minute }
      expect(await list(null)).toEqual([{ key: others[2], spentNano: 0n, spentDiemNano: 0n, lastUsedAtMs: null }, used])
      expect(await list(key.id)).toEqual([used])
      expect(await list(key.id, nowMs + day)).toEqual([{ ...used, spentNano: 0n }])
      expect(await list(others[0]?.id ?? '')).toEqual([])
      expect(await identity.listUsedKeys('acc_none', { keyId: key.id, nowMs })).toEqual([])
    })

    it('changes what is named of a key, and the next admission knows', async () => {
      const storage = await open()
      const { identity, admission } = storage
      const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
      const owner = { accountId: account.id, nowMs }
      expect(await identity.changeKey(key.id, { limitNano: 1n, label: 'less' }, owner)).toBe(true)
      expect(await identity.listKeys(account.id)).toEqual([{ ...key, limitNano: 1n, label: 'less' }])
      expect(await admission.admit(buildRequest(key))).toMatchObject({ reason: 'key_limit_exceeded' })
      const change = { limitNano: null, limitDiemNano: 9n, privacy: 'private_only', expiresAtMs: nowMs + 1 } as const
      expect(await identity.changeKey(key.id, change, owner)).toBe(true)
      expect(await identity.listKeys(account.id)).toEqual([{ ...key, label: 'less', ...change }])
      expect(await admission.admit(buildRequest(key))).toMatchObject({ admitted: true })
      expect(await admission.admit(buildRequest(key, { nowMs: nowMs + 1 }))).toMatchObject({
        reason: 'invalid_api_key',
      })
    })

    it('changes no key of another account, and none that no longer counts', async () => {
      const storage = await open()
      const { identity } = storage
      const { account, key } = await addCustomer(storage)
      const other = await addCustomer(storage)
      const change = { label: 'mine' }
      expect(await identity.changeKey(key.id, change, { accountId: other.account.id, nowMs })).toBe(false)
      expect(await identity.changeKey('key_none', change, { accountId: account.id, nowMs })).toBe(false)
      await identity.revokeKey(key.id, nowMs)
      expect(await identity.changeKey(key.id, change, { accountId: account.id, nowMs })).toBe(false)
      expect((await identity.listKeys(account.id))[0]?.label).toBe(key.label)
    })

    it('counts what was spent in a period that is named anew', async () => {
      const storage = await open()
      const { identity } = storage
      const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd, key: { period: 'lifetime' } })
      await spend(storage, key, [1n, nowMs - 40 * day])
      await spend(storage, key, [10n, nowMs - 2 * day])
      await spend(storage, key, [100n, nowMs])
      const change = (period: ApiKey['period']) =>
        identity.changeKey(key.id, { period }, { accountId: account.id, nowMs })
      const spent = async () => (await identity.listUsedKeys(account.id, { keyId: key.id, nowMs }))[0]?.spentNano
      for (const [period, spentNano] of [
        ['epoch', 100n],
        ['month', 110n],
        ['lifetime', 111n],
      ] as const) {
        expect(await change(period)).toBe(true)
        expect([period, await spent()]).toEqual([period, spentNano])
      }
    })
  })
}
