import { expect, it } from 'vitest'
import { noFees } from '../../src/core/price.ts'
import { noUsage } from '../../src/core/usage.ts'
import type { UsageSummaryQuery } from '../../src/domain/usage/types.ts'
import { buildKey, buildRequest, buildSettlement, hashOf, nowMs, random, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'
import { useOnce } from './usage-suite.ts'

const dayMs = 86_400_000
const today = Math.floor(nowMs / dayMs)

function question(change: Partial<UsageSummaryQuery>): UsageSummaryQuery {
  const anything = { accountId: null, keyId: null, model: null, outcome: null }
  return { ...anything, fromDay: today - 60, toDay: today + 60, by: [], limit: 100, ...change }
}

export function usageSummarySuite(open: OpenStorage): void {
  /** Two keys, two models, two days; each request differs in cost. */
  async function usedStore() {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const other = buildKey(account.id)
    await storage.identity.createKey(other, hashOf(other))
    const usage = {
      promptTokens: 100,
      completionTokens: 50,
      cachedTokens: 30,
      cacheWriteTokens: 20,
      reasoningTokens: 10,
    }
    await useOnce(storage, key, { model: 'model-a', costNano: 1n, record: { usage } })
    await useOnce(storage, key, { model: 'model-b', costNano: 10n, record: { usage } })
    await useOnce(storage, other, { model: 'model-b', costNano: 100n, atMs: nowMs - dayMs, record: { usage } })
    await useOnce(storage, other, { model: 'model-a', costNano: 0n, record: { usage: noUsage, outcome: 'deadline' } })
    return { storage, account, key, other }
  }

  it('say what was sold of each kind, and how much of it in DIEM, a late settlement included', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n, account: { diemPerDayNano: 5n } })
    const lines = [
      { kind: 'input', quantity: 7, amountNano: 3n },
      { kind: 'output', quantity: 2, amountNano: 4n },
    ] as const
    for (const model of ['m', 'm', 'search']) {
      const request = buildRequest(key, { model, fixedNano: 9n })
      await storage.admission.admit(request)
      const bill = model === 'search' ? [{ kind: 'search', quantity: 1, amountNano: 2n } as const] : lines
      const totalNano = bill.reduce((sum, { amountNano }) => sum + amountNano, 0n)
      await storage.ledger.settle(buildSettlement(request, totalNano, { lines: bill }))
    }
    const days = { fromDay: today - 1, toDay: today + 1 }
    const sold = async () =>
      (await storage.usage.soldLines({ accountId: account.id, ...days })).map(
        ({ model, kind, units, costNano, diemNano }) => [model, kind, units, costNano, diemNano],
      )
    expect(await sold()).toEqual([
      ['m', 'output', 4, 8n, 2n],
      ['m', 'input', 14, 6n, 3n],
      ['search', 'search', 1, 2n, 0n],
    ])
    const processId = `proc_${account.id}`
    const late = buildRequest(key, { model: 'late', fixedNano: 9n, processId })
    await storage.admission.admit(late)
    await storage.ledger.mark({
      holdId: late.holdId,
      chargeNano: 1n,
      promptTokens: 1,
      completionTokens: 0,
      fees: noFees,
      atMs: nowMs,
    })
    await storage.ledger.recoverFrom(processId, nowMs + 1)
    await storage.ledger.settle(buildSettlement(late, 7n, { lines }))
    expect((await sold()).slice(-3)).toEqual(
      expect.arrayContaining([
        ['late', 'output', 2, 4n, 0n],
        ['late', 'input', 7, 3n, 0n],
      ]),
    )
    expect(await storage.usage.soldLines({ accountId: account.id, fromDay: today + 2, toDay: today + 3 })).toEqual([])
    expect(await storage.usage.soldLines({ accountId: 'acc_none', ...days })).toEqual([])
  })

  it('are exact in all that is counted', async () => {
    const { storage, account } = await usedStore()
    const { groups, truncated } = await storage.usage.summarise(question({ accountId: account.id }))
    expect(truncated).toBe(false)
    expect(groups).toEqual([
      {
        ...{ day: null, model: null, accountId: null, keyId: null },
        requests: 4,
        promptTokens: 300,
        completionTokens: 150,
        cachedTokens: 90,
        cacheWriteTokens: 60,
        reasoningTokens: 30,
        costNano: 111n,
        writeoffNano: 0n,
        diemNano: 0n,
      },
    ])
  })

  it('are grouped by day, model, key and account, and by several of them', async () => {
    const { storage, account, key, other } = await usedStore()
    const by = async (...grouping: UsageSummaryQuery['by']) => {
      const { groups } = await storage.usage.summarise(question({ accountId: account.id, by: grouping }))
      return groups.map(({ day, model, accountId, keyId, requests, costNano }) => [
        ...[day, model, accountId, keyId].filter(value => value !== null),
        ...[requests, Number(costNano)],
      ])
    }
    expect(await by('day')).toEqual([
      [today - 1, 1, 100],
      [today, 3, 11],
    ])
    expect(await by('model')).toEqual([
      ['model-b', 2, 110],
      ['model-a', 2, 1],
    ])
    expect(await by('key')).toEqual([
      [other.id, 2, 100],
      [key.id, 2, 11],
    ])
    expect(await by('account')).toEqual([[account.id, 4, 111]])
    expect(await by('model', 'day')).toEqual([
      [today - 1, 'model-b', 1, 100],
      [today, 'model-b', 1, 10],
      [today, 'model-a', 2, 1],
    ])
  })

  it('take the same filters as pages, and a range of days', async () => {
    const { storage, account, key, other } = await usedStore()
    const cost = async (change: Partial<UsageSummaryQuery>) => {
      const { groups } = await storage.usage.summarise(question({ accountId: account.id, ...change }))
      return groups.map(({ costNano }) => costNano)
    }
    expect(await cost({ keyId: key.id })).toEqual([11n])
    expect(await cost({ keyId: other.id, accountId: null })).toEqual([100n])
    expect(await cost({ model: 'model-b', fromDay: today })).toEqual([10n])
    expect(await cost({ outcome: 'deadline' })).toEqual([0n])
    expect(await cost({ toDay: today - 1 })).toEqual([100n])
    expect(await cost({ fromDay: today + 1 })).toEqual([])
    expect(await cost({ keyId: 'key_none' })).toEqual([])
    await expect(cost({ fromDay: 0.5 })).rejects.toThrow(RangeError)
  })

  it('say when there are more groups than asked for', async () => {
    const { storage, account } = await usedStore()
    const ask = (limit: number) =>
      storage.usage.summarise(question({ accountId: account.id, by: ['day', 'model', 'key'], limit }))
    expect(await ask(4)).toMatchObject({ truncated: false, groups: { length: 4 } })
    expect(await ask(3)).toMatchObject({ truncated: true, groups: { length: 3 } })
  })

  it.each([
    ['more', 700n],
    ['nothing', 0n],
  ])('follow a late settlement that costs %s', async (_, costNano) => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
    const request = buildRequest(key, { deadlineMs: nowMs - 100_000, processId: `proc_${random.hex(4)}` })
    await storage.admission.admit(request)
    const mark = {
      holdId: request.holdId,
      chargeNano: 300n,
      promptTokens: 40,
      completionTokens: 60,
      fees: noFees,
      atMs: nowMs,
    }
    await storage.ledger.mark(mark)
    await storage.ledger.sweep(nowMs, 60_000)
    const read = async () => {
      const { groups } = await storage.usage.summarise(question({ accountId: account.id, by: ['day'] }))
      return groups
    }
    expect(await read()).toMatchObject([{ requests: 1, promptTokens: 40, completionTokens: 60, costNano: 300n }])
    await storage.ledger.settle(buildSettlement(request, costNano))
    expect(await read()).toMatchObject([{ requests: 1, promptTokens: 10, completionTokens: 10, costNano }])
    const recovered = await storage.usage.summarise(question({ accountId: account.id, outcome: 'crashed_recovered' }))
    expect(recovered.groups).toEqual([])
    expect((await storage.ledger.verify()).problems).toEqual([])
  })
}
