import { describe, expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { noFees } from '../../src/core/price.ts'
import { StoreConflict } from '../../src/core/store-error.ts'
import type { AdmissionRequest } from '../../src/domain/admission/types.ts'
import type { ApiKey } from '../../src/domain/identity/types.ts'
import { buildGrant, buildRequest, buildSettlement, nowMs, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

const dayMs = 86_400_000
const day = Math.floor(nowMs / dayMs)
const midnightMs = (day + 1) * dayMs
const cent = usd / 100n
const midnight = { nowMs: midnightMs - 1_000, deadlineMs: midnightMs + 60_000 }

interface Funds {
  readonly usdNano?: bigint
  readonly diemNano?: bigint
  readonly earnedNano?: bigint
  readonly bundledNano?: bigint
  readonly mode?: 'soft' | 'strict'
  readonly key?: Partial<ApiKey>
}

/** Currencies besides dollars, and what is spent of them when (money.md §4). */
export function currenciesSuite(open: OpenStorage): void {
  async function customer(funds: Funds) {
    const storage = await open()
    const { usdNano = 0n, diemNano = 0n, earnedNano = 0n, bundledNano = 0n, mode = 'strict' } = funds
    const account = { mode, diemPerDayNano: diemNano }
    const { account: made, key } = await addCustomer(storage, { balanceNano: usdNano, account, key: funds.key ?? {} })
    const credits = [
      ['earned', earnedNano],
      ['bundled', bundledNano],
    ] as const
    for (const [currency, amountNano] of credits)
      if (amountNano > 0n) await storage.ledger.post(buildGrant(made.id, amountNano, { currency }))
    return { storage, account: made, key, admit: admitterOf(storage, key) }
  }

  describe('currencies: holds and charges', () => {
    it('are reserved and paid in the order of spending, a transfer for each', async () => {
      const { storage, account, admit } = await customer({
        diemNano: 3n,
        earnedNano: 5n,
        bundledNano: 7n,
        usdNano: 11n,
      })
      const { request, decision } = await admit(20n)
      const parts = { diemDay: day, diemNano: 3n, earnedNano: 5n, bundledNano: 7n }
      expect(decision).toMatchObject({ admitted: true, holdNano: 20n, parts })
      expect(decision.balances).toEqual({ usdNano: 11n, diemNano: 3n, earnedNano: 5n, bundledNano: 7n })
      const { heldNano, funds } = await storage.ledger.balance(account.id)
      expect([heldNano, funds.diemHeldNano, funds.earnedHeldNano, funds.bundledHeldNano]).toEqual([5n, 3n, 5n, 7n])
      const settled = await storage.ledger.settle(buildSettlement(request, 16n))
      expect(settled).toMatchObject({ chargedNano: 16n, paid: parts })
      const after = await storage.ledger.balance(account.id)
      expect(after).toMatchObject({ balanceNano: 10n, heldNano: 0n, debitedNano: 1n })
      expect(after.funds).toMatchObject({ diemSpentNano: 3n, diemHeldNano: 0n, earnedNano: 0n, bundledNano: 0n })
      const range = { fromMs: 0, toMs: midnightMs, after: null, limit: 10 }
      const booked = await storage.ledger.charges(account.id, { ...range, currency: null })
      expect(booked.map(({ currency, amountNano }) => [currency, amountNano])).toEqual([
        ['diem', -3n],
        ['earned', -5n],
        ['bundled', -7n],
        ['usd', -1n],
      ])
      expect(await storage.ledger.charges(account.id, { ...range, currency: 'earned' })).toMatchObject([
        { currency: 'earned', amountNano: -5n, request: { isShared: true } },
      ])
    })

    it('of a charge below the hold are paid from the first currencies, and the rest is let go', async () => {
      const { storage, account, admit } = await customer({ bundledNano: 7n, usdNano: 11n })
      const { request } = await admit(18n)
      expect(await storage.ledger.settle(buildSettlement(request, 6n))).toMatchObject({
        paid: { diemNano: 0n, earnedNano: 0n, bundledNano: 6n },
      })
      expect(await storage.ledger.balance(account.id)).toMatchObject({
        ...{ balanceNano: 11n, heldNano: 0n, debitedNano: 0n },
        funds: { bundledNano: 1n, bundledHeldNano: 0n },
      })
      expect(await storage.ledger.holdFacts(request.holdId)).toMatchObject({
        ...{ balanceBeforeNano: 11n, balanceAfterNano: 11n, settledNano: 6n },
      })
    })

    it('are dollars alone where the surface spends no other currency', async () => {
      const { admit, account, storage } = await customer({
        diemNano: usd,
        earnedNano: usd,
        bundledNano: usd,
        usdNano: 5n,
      })
      expect(await admit(6n, { spendsAllCurrencies: false })).toMatchObject({
        decision: { admitted: false, reason: 'insufficient_balance', availableNano: 5n },
      })
      const { request, decision } = await admit(5n, { spendsAllCurrencies: false })
      expect(decision).toMatchObject({ admitted: true, parts: null })
      expect(await storage.ledger.settle(buildSettlement(request, 5n))).toMatchObject({ paid: null })
      expect((await storage.ledger.balance(account.id)).balanceNano).toBe(0n)
    })

    it('use the overdraft for dollars alone, which come last', async () => {
      const { admit } = await customer({ mode: 'soft', bundledNano: 7n })
      const overdraftNano = 10n
      expect((await admit(18n, { overdraftNano })).decision).toMatchObject({ reason: 'insufficient_balance' })
      expect((await admit(17n, { overdraftNano })).decision).toMatchObject({ admitted: true })
      expect((await admit(1n, { overdraftNano })).decision).toMatchObject({ admitted: false })
    })

    it('pay before dollars also when those are below zero', async () => {
      const { storage, account, admit } = await customer({ bundledNano: 7n, usdNano: 5n })
      const takenBack = { code: 'clawback', debit: `customer:${account.id}`, credit: 'funding:manual' } as const
      await storage.ledger.post(buildGrant(account.id, 9n, takenBack))
      expect((await admit(8n)).decision).toMatchObject({ admitted: false, availableNano: 3n })
      expect((await admit(7n)).decision).toMatchObject({ admitted: true })
    })

    it('are admitted for exactly what there is when 1,000 ask at once', async () => {
      const funds = { diemNano: 3n * cent + 1n, earnedNano: 4n * cent, bundledNano: cent / 2n, usdNano: 5n * cent }
      const { storage, account, key } = await customer(funds)
      const requests = Array.from({ length: 1_000 }, () => buildRequest(key, { fixedNano: cent }))
      const decisions = await Promise.all(requests.map(request => storage.admission.admit(request)))
      const admitted = requests.filter((_, index) => decisions[index]?.admitted)
      expect(admitted).toHaveLength(12)
      await Promise.all(admitted.map(request => storage.ledger.settle(buildSettlement(request, cent))))
      const { balanceNano, heldNano, funds: left } = await storage.ledger.balance(account.id)
      expect(left).toMatchObject({ diemSpentNano: funds.diemNano, earnedNano: 0n, bundledNano: 0n })
      expect([balanceNano, heldNano]).toEqual([cent / 2n + 1n, 0n])
    })
  })

  describe('currencies: the allowance of a day', () => {
    it('is new at 00:00 UTC, and what was left of the old one is not there', async () => {
      const { storage, admit } = await customer({ diemNano: 10n })
      const { request } = await admit(4n)
      await storage.ledger.settle(buildSettlement(request, 4n))
      expect((await admit(7n)).decision).toMatchObject({ admitted: false, availableNano: 6n })
      expect((await admit(11n, { nowMs: midnightMs })).decision).toMatchObject({ admitted: false, availableNano: 10n })
      expect((await admit(10n, { nowMs: midnightMs })).decision).toMatchObject({ admitted: true })
    })

    it('pays for a hold that was placed on its day, and gives back nothing after it', async () => {
      const { storage, account, admit } = await customer({ diemNano: 10n })
      const before = await admit(8n, midnight)
      const next = await admit(10n, { nowMs: midnightMs })
      expect(next.decision).toMatchObject({ admitted: true, parts: { diemDay: day + 1, diemNano: 10n } })
      const settled = await storage.ledger.settle(buildSettlement(before.request, 5n, { atMs: midnightMs + 500 }))
      expect(settled).toMatchObject({ chargedNano: 5n, paid: { diemDay: day, diemNano: 5n } })
      expect((await storage.ledger.balance(account.id)).funds).toMatchObject({
        ...{ diemDay: day + 1, diemSpentNano: 0n, diemHeldNano: 10n },
      })
      expect((await admit(1n, { nowMs: midnightMs + 600 })).decision).toMatchObject({ admitted: false })
      await storage.ledger.settle(buildSettlement(next.request, 0n, { atMs: midnightMs + 700 }))
      expect((await admit(10n, { nowMs: midnightMs + 800 })).decision).toMatchObject({ admitted: true })
      expect(await storage.ledger.verify()).toMatchObject({ problems: [] })
    })

    it('is released on its day, and does not come back with a clock that is behind', async () => {
      const { storage, admit } = await customer({ diemNano: 10n })
      const { request } = await admit(10n, midnight)
      await storage.ledger.settle(buildSettlement(request, 0n, { atMs: midnightMs - 500 }))
      const again = await admit(10n, midnight)
      expect(again.decision).toMatchObject({ admitted: true })
      expect((await admit(10n, { nowMs: midnightMs })).decision).toMatchObject({ admitted: true })
      expect((await admit(1n, midnight)).decision).toMatchObject({ admitted: false })
      expect(await storage.ledger.verify()).toMatchObject({ problems: [] })
    })

    it('may be lowered below what was spent of it', async () => {
      const { storage, account, admit } = await customer({ diemNano: 10n, usdNano: 3n })
      const { request } = await admit(8n)
      await storage.ledger.settle(buildSettlement(request, 8n))
      await storage.identity.changeAccount(account.id, { diemPerDayNano: 2n })
      expect((await admit(3n)).decision).toMatchObject({ admitted: true, parts: null })
    })
  })

  describe('currencies: limits of keys', () => {
    const limited = (limits: Partial<ApiKey>) =>
      customer({ diemNano: 10n, earnedNano: 10n, usdNano: 100n, key: { period: 'epoch', ...limits } })

    it('count everything but DIEM in dollars, spent and held', async () => {
      const { storage, admit } = await limited({ limitNano: 15n })
      const { request } = await admit(25n)
      expect((await admit(1n)).decision).toMatchObject({ reason: 'key_limit_exceeded', availableNano: 0n })
      await storage.ledger.settle(buildSettlement(request, 24n))
      expect((await admit(2n)).decision).toMatchObject({ reason: 'key_limit_exceeded', availableNano: 1n })
      expect((await admit(1n)).decision).toMatchObject({ admitted: true })
    })

    it('in DIEM alone end the key, although the account has more', async () => {
      const { storage, key, account, admit } = await limited({ limitDiemNano: 4n })
      const { request } = await admit(3n)
      expect((await admit(2n)).decision).toMatchObject({ reason: 'key_diem_limit_exceeded', availableNano: 1n })
      await storage.ledger.settle(buildSettlement(request, 3n))
      expect((await admit(2n)).decision).toMatchObject({ reason: 'key_diem_limit_exceeded', availableNano: 1n })
      const [used] = await storage.identity.listUsedKeys(account.id, { keyId: key.id, nowMs })
      expect(used).toMatchObject({ spentNano: 0n, spentDiemNano: 3n })
      expect((await admit(4n, { nowMs: midnightMs })).decision).toMatchObject({ admitted: true })
    })

    it('of 0 in DIEM let the key spend nothing', async () => {
      const { admit } = await limited({ limitDiemNano: 0n })
      expect((await admit(1n)).decision).toMatchObject({ reason: 'key_diem_limit_exceeded', availableNano: 0n })
    })

    it('in both are used one after the other', async () => {
      const { admit } = await limited({ limitDiemNano: 4n, limitNano: 6n })
      expect((await admit(11n)).decision).toMatchObject({ reason: 'key_limit_exceeded' })
      expect((await admit(10n)).decision).toMatchObject({ admitted: true, parts: { diemNano: 4n, earnedNano: 6n } })
    })

    it('are recounted for another period, each by itself', async () => {
      const { storage, account, key, admit } = await limited({ limitDiemNano: 4n, limitNano: 6n })
      const { request } = await admit(7n)
      await storage.ledger.settle(buildSettlement(request, 7n))
      const owner = { accountId: account.id, nowMs }
      expect(await storage.identity.changeKey(key.id, { period: 'month' }, owner)).toBe(true)
      const [used] = await storage.identity.listUsedKeys(account.id, { keyId: key.id, nowMs })
      expect(used).toMatchObject({ spentNano: 3n, spentDiemNano: 4n })
    })
  })

  describe('currencies: what comes late, and what is given back', () => {
    it('resolves the hold of a dead process at its mark, in the order of spending', async () => {
      const { storage, account, admit } = await customer({ diemNano: 3n, earnedNano: 5n, usdNano: 11n })
      const processId = `proc_${account.id}`
      const { request } = await admit(15n, { processId })
      const mark = { chargeNano: 4n, promptTokens: 1, completionTokens: 1, fees: noFees, atMs: nowMs }
      await storage.ledger.mark({ holdId: request.holdId, ...mark })
      expect(await storage.ledger.recoverFrom(processId, nowMs + 1)).toEqual({ charged: 1, released: 0 })
      expect((await storage.ledger.balance(account.id)).funds).toMatchObject({ diemSpentNano: 3n, earnedNano: 4n })
      // The late settlement takes what was held and is still there: dollars that somebody else spent are not.
      const other = await admit(8n)
      await storage.ledger.settle(buildSettlement(other.request, 8n))
      const settled = await storage.ledger.settle(buildSettlement(request, 15n, { atMs: nowMs + 5_000 }))
      expect(settled).toMatchObject({ effect: 'adjusted', chargedNano: 11n, paid: { diemNano: 3n, earnedNano: 1n } })
      expect(await storage.ledger.balance(account.id)).toMatchObject({ balanceNano: 0n, heldNano: 0n })
    })

    it('gives back in each currency what a late settlement did not need, but no allowance of a day that is over', async () => {
      const { storage, account, admit } = await customer({ diemNano: 3n, bundledNano: 5n })
      const processId = `proc_${account.id}`
      const { request } = await admit(8n, { processId, ...midnight })
      const mark = { chargeNano: 8n, promptTokens: 1, completionTokens: 1, fees: noFees, atMs: midnightMs - 500 }
      await storage.ledger.mark({ holdId: request.holdId, ...mark })
      await storage.ledger.recoverFrom(processId, midnightMs + 1)
      const next = await admit(1n, { nowMs: midnightMs + 10 })
      const settled = await storage.ledger.settle(buildSettlement(request, 2n, { atMs: midnightMs + 20 }))
      expect(settled).toMatchObject({ effect: 'adjusted', chargedNano: 2n, paid: { diemDay: day, diemNano: 2n } })
      expect((await storage.ledger.balance(account.id)).funds).toMatchObject({
        ...{ bundledNano: 5n, diemDay: day + 1, diemSpentNano: 0n, diemHeldNano: 1n },
      })
      await storage.ledger.settle(buildSettlement(next.request, 0n))
    })

    it('refunds a currency up to what it paid', async () => {
      const { storage, account, admit } = await customer({ bundledNano: 5n, usdNano: 5n })
      const { request } = await admit(8n)
      await storage.ledger.settle(buildSettlement(request, 8n))
      const back = { code: 'refund', debit: 'revenue', holdId: request.holdId } as const
      const refund = (amountNano: bigint, currency: 'usd' | 'bundled' | 'earned' | 'diem') =>
        storage.ledger.post(buildGrant(account.id, amountNano, { ...back, currency }))
      await expect(refund(6n, 'bundled')).rejects.toThrow('must not exceed')
      await expect(refund(1n, 'earned')).rejects.toThrow('must not exceed')
      await expect(refund(1n, 'diem')).rejects.toThrow(RangeError)
      await refund(5n, 'bundled')
      await refund(3n, 'usd')
      await expect(refund(1n, 'usd')).rejects.toThrow('must not exceed')
      expect(await storage.ledger.balance(account.id)).toMatchObject({ balanceNano: 5n, funds: { bundledNano: 5n } })
    })

    it('shows what the allowance paid among the dollars, without touching their balance', async () => {
      const { storage, account, admit } = await customer({ usdNano: 10n, diemNano: 4n })
      for (const chargeNano of [3n, 3n, 2n]) {
        const { request } = await admit(chargeNano)
        await storage.ledger.settle(buildSettlement(request, chargeNano))
      }
      const { openingNano, closingNano, lines } = await storage.ledger.statement(account.id, {
        ...{ fromMs: 0, toMs: midnightMs * 2, limit: 10 },
      })
      expect([openingNano, closingNano]).toEqual([0n, 6n])
      expect(
        lines.map(({ code, amountNano, diemNano, balanceNano }) => [code, amountNano, diemNano, balanceNano]),
      ).toEqual([
        ['grant', 10n, 0n, 10n],
        ['usage', 0n, -3n, 10n],
        ['usage', 0n, -1n, 10n],
        ['usage', -2n, 0n, 8n],
        ['usage', -2n, 0n, 6n],
      ])
    })

    it('takes the same key with another currency for another transfer', async () => {
      const { storage, account } = await customer({})
      const grant = buildGrant(account.id, 5n, { currency: 'earned' })
      await storage.ledger.post(grant)
      expect(await storage.ledger.post(grant)).toMatchObject({ repeated: true })
      await expect(storage.ledger.post({ ...grant, currency: 'bundled' })).rejects.toThrow(StoreConflict)
      const range = { fromMs: 0, toMs: midnightMs, limit: 10 }
      expect(await storage.ledger.statement(account.id, { ...range, currency: 'earned' })).toMatchObject({
        ...{ openingNano: 0n, closingNano: 5n },
        lines: [{ amountNano: 5n, balanceNano: 5n }],
      })
      expect(await storage.ledger.statement(account.id, range)).toMatchObject({ closingNano: 0n, lines: [] })
    })

    it('leaves books that agree in every currency', async () => {
      const storage = await open()
      const { problems } = await storage.ledger.verify()
      expect(problems).toEqual([])
    })
  })
}

function admitterOf(storage: Storage, key: ApiKey) {
  return async (fixedNano: bigint, change: Partial<AdmissionRequest> = {}) => {
    const request = buildRequest(key, { fixedNano, ...change })
    return { request, decision: await storage.admission.admit(request) }
  }
}
