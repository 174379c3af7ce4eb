import { expect, it } from 'vitest'
import { noFees } from '../../../src/core/price.ts'
import { buildRequest, buildSettlement, nowMs, random, usd } from '../builders.ts'
import { addCustomer, type OpenStorage } from '../open-test-storage.ts'
import { admitOne } from './admit-one.ts'

export function recoverySuite(open: OpenStorage): void {
  const mark = (holdId: string, chargeNano: bigint) => ({
    holdId,
    chargeNano,
    promptTokens: 40,
    completionTokens: 60,
    fees: noFees,
    atMs: nowMs,
  })

  it('charges what a dead process held at the last mark, and releases what has none', async () => {
    const storage = await open()
    const processId = `proc_${random.hex(4)}`
    const marked = await admitOne(storage, { processId })
    const unmarked = await admitOne(storage, { processId })
    const alive = await admitOne(storage, { processId: 'proc_alive' })
    await storage.ledger.mark(mark(marked.request.holdId, 10n))
    await Promise.all([
      storage.ledger.mark(mark(marked.request.holdId, 20n)),
      storage.ledger.mark(mark(marked.request.holdId, 30n)),
    ])
    const report = await storage.ledger.recover('proc_alive', nowMs + 5_000)
    expect(report.charged).toBe(1)
    expect(report.released).toBeGreaterThanOrEqual(1)
    expect(await storage.ledger.balance(marked.account.id)).toMatchObject({
      balanceNano: 10n * usd - 30n,
      heldNano: 0n,
    })
    expect(await storage.ledger.balance(unmarked.account.id)).toMatchObject({ balanceNano: 10n * usd, heldNano: 0n })
    expect((await storage.ledger.balance(alive.account.id)).heldNano).toBe(usd)
    const record = await storage.usage.findByGeneration(marked.request.generationId, marked.account.id)
    expect(record).toMatchObject({
      outcome: 'crashed_recovered',
      costDelivered: false,
      costNano: 30n,
      heldNano: usd,
      requestId: marked.request.requestId,
      keyId: marked.key.id,
      model: marked.request.model,
      priceVersion: marked.request.priceVersion,
      usage: { promptTokens: 40, completionTokens: 60 },
      usageSource: 'estimated',
    })
    expect(record?.lines.reduce((sum, line) => sum + line.amountNano, 0n)).toBe(30n)
    expect(await storage.ledger.holdFacts(marked.request.holdId)).toMatchObject({ state: 'swept', settledNano: 30n })
    expect(await storage.ledger.recover('proc_alive', nowMs)).toEqual({ charged: 0, released: 0 })
  })

  it('resolves what one process held, when that one died and the others did not', async () => {
    const storage = await open()
    const [marked, unmarked] = [
      await admitOne(storage, { processId: 'proc_dead' }),
      await admitOne(storage, { processId: 'proc_dead' }),
    ]
    const others = [
      await admitOne(storage, { processId: 'proc_one' }),
      await admitOne(storage, { processId: 'proc_two' }),
    ]
    await storage.ledger.mark(mark(marked.request.holdId, 30n))
    expect(await storage.ledger.recoverFrom('proc_dead', nowMs)).toEqual({ charged: 1, released: 1 })
    expect(await storage.ledger.holdFacts(marked.request.holdId)).toMatchObject({ state: 'swept', settledNano: 30n })
    expect((await storage.ledger.balance(unmarked.account.id)).heldNano).toBe(0n)
    for (const { account } of others) expect((await storage.ledger.balance(account.id)).heldNano).toBe(usd)
    expect(await storage.ledger.recoverFrom('proc_dead', nowMs)).toEqual({ charged: 0, released: 0 })
  })

  it('splits a mark into lines by the prices that were frozen at admission', async () => {
    const storage = await open()
    const priceVersion = `price_${random.hex(4)}`
    const prices = { cacheReadNanoPerMillion: 0n, cacheWriteNanoPerMillion: 0n, searchNano: 0n, pageNano: 0n }
    await storage.ledger.rememberPrices([
      { version: priceVersion, inputNanoPerMillion: 250_000_000n, outputNanoPerMillion: usd, ...prices },
    ])
    const { account, request } = await admitOne(storage, { processId: 'proc_gone', priceVersion })
    await storage.ledger.mark(mark(request.holdId, 70_000n))
    await storage.ledger.recover('proc_test', nowMs)
    const record = await storage.usage.findByGeneration(request.generationId, account.id)
    expect(record?.lines).toEqual([
      { kind: 'input', quantity: 40, amountNano: 10_000n },
      { kind: 'output', quantity: 60, amountNano: 60_000n },
    ])
  })

  it('books the fees of a mark as what they are, in the record and among what was sold', async () => {
    const storage = await open()
    const priceVersion = `price_${random.hex(4)}`
    const prices = { cacheReadNanoPerMillion: 0n, cacheWriteNanoPerMillion: 0n, searchNano: 5_000n, pageNano: 300n }
    await storage.ledger.rememberPrices([
      { version: priceVersion, inputNanoPerMillion: 250_000_000n, outputNanoPerMillion: usd, ...prices },
    ])
    const { account, request } = await admitOne(storage, { processId: 'proc_gone', priceVersion })
    const before = mark(request.holdId, 70_000n)
    await storage.ledger.mark(before)
    await storage.ledger.mark({ ...before, chargeNano: 75_900n, fees: { searches: 1, pages: 3 } })
    await storage.ledger.recover('proc_test', nowMs)
    const lines = [
      { kind: 'input', quantity: 40, amountNano: 10_000n },
      { kind: 'output', quantity: 60, amountNano: 60_000n },
      { kind: 'search', quantity: 1, amountNano: 5_000n },
      { kind: 'page', quantity: 3, amountNano: 900n },
    ]
    const record = await storage.usage.findByGeneration(request.generationId, account.id)
    expect(record?.lines).toEqual(lines)
    const day = Math.floor(nowMs / 86_400_000)
    const sold = await storage.usage.soldLines({ accountId: account.id, fromDay: day, toDay: day + 1 })
    const sums = sold.map(({ kind, units, costNano }) => ({ kind, quantity: units, amountNano: costNano }))
    expect(sums).toHaveLength(lines.length)
    expect(sums).toEqual(expect.arrayContaining(lines))
  })

  it('never books more in fees than a mark charges', async () => {
    const storage = await open()
    const priceVersion = `price_${random.hex(4)}`
    const prices = { cacheReadNanoPerMillion: 0n, cacheWriteNanoPerMillion: 0n, searchNano: 5_000n, pageNano: 300n }
    await storage.ledger.rememberPrices([
      { version: priceVersion, inputNanoPerMillion: usd, outputNanoPerMillion: usd, ...prices },
    ])
    const { account, request } = await admitOne(storage, { processId: 'proc_gone', priceVersion })
    await storage.ledger.mark({ ...mark(request.holdId, 5_100n), fees: { searches: 1, pages: 3 } })
    await storage.ledger.recover('proc_test', nowMs)
    const record = await storage.usage.findByGeneration(request.generationId, account.id)
    expect(record?.lines).toEqual([
      { kind: 'search', quantity: 1, amountNano: 5_000n },
      { kind: 'page', quantity: 3, amountNano: 100n },
    ])
  })

  it('never charges a mark above the hold', async () => {
    const storage = await open()
    const { account, request } = await admitOne(storage, { processId: 'proc_gone' })
    await storage.ledger.mark(mark(request.holdId, 3n * usd))
    await storage.ledger.recover('proc_test', nowMs)
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(9n * usd)
  })

  it('ignores a mark for a hold that is resolved or unknown', async () => {
    const storage = await open()
    const { account, request } = await admitOne(storage)
    await storage.ledger.settle(buildSettlement(request, 5n))
    await storage.ledger.mark(mark(request.holdId, 9n))
    await storage.ledger.mark(mark('hold_none', 9n))
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(10n * usd - 5n)
  })

  it('sweeps what outlived its deadline by the grace, and nothing else', async () => {
    const storage = await open()
    const overdue = await admitOne(storage, { deadlineMs: nowMs - 60_001 })
    const inGrace = await admitOne(storage, { deadlineMs: nowMs - 60_000 })
    expect(await storage.ledger.sweep(nowMs, 60_000)).toEqual({ charged: 0, released: 1 })
    expect((await storage.ledger.balance(overdue.account.id)).heldNano).toBe(0n)
    expect((await storage.ledger.balance(inGrace.account.id)).heldNano).toBe(usd)
  })

  it('recovers more holds than one transaction takes', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 1_000n * usd })
    const requests = Array.from({ length: 700 }, () => buildRequest(key, { processId: 'proc_gone' }))
    await Promise.all(requests.map(request => storage.admission.admit(request)))
    const { charged, released } = await storage.ledger.recover('proc_test', nowMs)
    expect({ charged, released }).toEqual({ charged: 0, released: 700 })
    expect((await storage.ledger.balance(account.id)).heldNano).toBe(0n)
  })
}
