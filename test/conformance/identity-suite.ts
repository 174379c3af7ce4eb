import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { StoreConflict } from '../../src/core/store-error.ts'
import { buildAccount, buildKey, buildRequest, buildSettlement, hashOf, nowMs, random, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

const day = 86_400_000

export function identitySuite(open: OpenStorage): void {
  describe('identity: accounts and keys', () => {
    it('finds a key by its hash, with its account, exactly as it was stored', async () => {
      const { identity } = await open()
      const account = buildAccount({ mode: 'soft', pro: true, diemPerDayNano: 2n ** 62n })
      const key = buildKey(account.id, {
        label: 'Łabel "quoted"',
        type: 'admin',
        limitNano: 0n,
        limitDiemNano: 12n,
        period: 'month',
        privacy: 'private_text',
        allowedModels: ['a/b', 'c'],
        requestsPerMinute: 0,
        tokensPerMinute: 9,
        requestsPerDay: 0,
        concurrency: 1,
        expiresAtMs: nowMs + 1,
      })
      await identity.createAccount(account)
      await identity.createKey(key, hashOf(key))
      expect(await identity.findKeyByHash(hashOf(key))).toEqual({ key, account })
      expect(await identity.findKeyByHash(randomBytes(32))).toBeNull()
    })

    it('takes each account name, id, key id and key hash once', async () => {
      const { identity } = await open()
      const account = buildAccount()
      await identity.createAccount(account)
      await expect(identity.createAccount(buildAccount({ name: account.name }))).rejects.toThrow(StoreConflict)
      await expect(identity.createAccount(buildAccount({ id: account.id }))).rejects.toThrow(StoreConflict)
      const key = buildKey(account.id)
      await identity.createKey(key, hashOf(key))
      await expect(identity.createKey(key, randomBytes(32))).rejects.toThrow(StoreConflict)
      await expect(identity.createKey(buildKey(account.id), hashOf(key))).rejects.toThrow(StoreConflict)
      await expect(identity.createKey(buildKey('acc_none'), randomBytes(32))).rejects.toThrow(RangeError)
    })

    it('finds an account by name or id, an id before a name that looks like it', async () => {
      const { identity } = await open()
      const account = buildAccount()
      const impostor = buildAccount({ name: account.id })
      await identity.createAccount(impostor)
      await identity.createAccount({ ...account, name: `name-${random.hex(4)}` })
      expect((await identity.findAccount(account.id))?.id).toBe(account.id)
      expect((await identity.findAccount(impostor.id))?.id).toBe(impostor.id)
      expect(await identity.findAccount('nobody')).toBeNull()
    })

    it('changes what is named and nothing else', async () => {
      const { identity } = await open()
      const account = buildAccount()
      await identity.createAccount(account)
      await identity.changeAccount(account.id, {})
      await identity.changeAccount(account.id, { mode: 'soft' })
      await identity.changeAccount(account.id, { pro: true, diemPerDayNano: 3n })
      expect(await identity.findAccount(account.id)).toEqual({
        ...account,
        mode: 'soft',
        pro: true,
        diemPerDayNano: 3n,
      })
    })

    it('lists accounts, and the keys of one account or of all, in the order they were made', async () => {
      const { identity } = await open()
      const [first, second] = [buildAccount(), buildAccount()]
      await identity.createAccount(first)
      await identity.createAccount(second)
      const keys = [buildKey(first.id), buildKey(second.id), buildKey(first.id)]
      for (const key of keys) await identity.createKey(key, hashOf(key))
      expect((await identity.listAccounts()).map(({ id }) => id).slice(-2)).toEqual([first.id, second.id])
      expect(await identity.listKeys(first.id)).toEqual([keys[0], keys[2]])
      expect((await identity.listKeys(null)).slice(-3)).toEqual(keys)
    })

    it('revokes a key once, and the next admission knows', async () => {
      const { identity, admission, ...rest } = await open()
      const { key } = await addCustomer({ identity, ...rest }, { balanceNano: usd })
      expect(await identity.revokeKey(key.id, nowMs + 5)).toBe(true)
      expect(await identity.revokeKey(key.id, nowMs + 9)).toBe(false)
      expect(await identity.revokeKey('key_none', nowMs)).toBe(false)
      expect((await identity.listKeys(key.accountId))[0]?.revokedAtMs).toBe(nowMs + 5)
      expect(await admission.admit(buildRequest(key))).toMatchObject({ reason: 'invalid_api_key' })
    })

    it('says what a key spent in its period, today, this week, this month and ever', async () => {
      const { identity, admission, ledger } = await open()
      const { key } = await addCustomer({ identity, ledger }, { balanceNano: 1_000n * usd, key: { period: 'epoch' } })
      const spend = async (atMs: number, chargeNano: bigint) => {
        const request = buildRequest(key, { nowMs: atMs })
        await admission.admit(request)
        await ledger.settle(buildSettlement(request, chargeNano, { atMs }))
      }
      const sunday = nowMs
      await spend(sunday - 40 * day, 1n)
      await spend(sunday - 10 * day, 10n)
      await spend(sunday - 3 * day, 100n)
      await spend(sunday, 1_000n)
      const open2 = buildRequest(key, { fixedNano: 7n })
      await admission.admit(open2)
      expect(await identity.keySpending(key.id, sunday)).toEqual({
        spentNano: 1_000n,
        heldNano: 7n,
        usageDailyNano: 1_000n,
        usageWeeklyNano: 1_100n,
        usageMonthlyNano: 1_110n,
        usageTotalNano: 1_111n,
      })
      expect(await identity.keySpending(key.id, sunday + day)).toMatchObject({ spentNano: 0n, usageWeeklyNano: 0n })
      expect(await identity.keySpending('key_none', sunday)).toMatchObject({ spentNano: 0n, usageTotalNano: 0n })
    })

    it('remembers settings by name', async () => {
      const { identity } = await open()
      const name = `setting-${random.hex(4)}`
      expect(await identity.readSetting(name)).toBeNull()
      await identity.writeSetting(name, 'one')
      expect(await identity.keepSetting(name, 'three')).toBe('one')
      await identity.writeSetting(name, "two'; drop table settings; --")
      expect(await identity.readSetting(name)).toBe("two'; drop table settings; --")
    })
  })
}
