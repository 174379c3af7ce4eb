import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../src/adapters/storage/storage.ts'
import { noOtherFunds } from '../../src/core/currency.ts'
import { noFees } from '../../src/core/price.ts'
import { StoreConflict } from '../../src/core/store-error.ts'
import type { Settlement } from '../../src/domain/ledger/types.ts'
import { buildGrant, buildRequest, buildSettlement, nowMs, random, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

const long = process.env['RIALTO_TEST_LONG'] === '1'
const propertyRunsDefault = long ? 10_000 : 1_000
/** Every run waits for some commits of a server, which a busy machine makes slow. */
const propertyMs = long ? 900_000 : 120_000
const hour = 3_600_000

export function ledgerSuite(open: OpenStorage, propertyRuns = propertyRunsDefault): void {
  describe('ledger: transfers', () => transfersSuite(open))
  describe('ledger: settlements', () => settlementsSuite(open, propertyRuns))
  describe('ledger: lowered holds', () => loweringSuite(open))
  describe('ledger: free failures', () => freeFailuresSuite(open))
  describe('ledger: marks, recovery, sweeper', () => recoverySuite(open))
  describe('ledger: late settlements', () => lateSettlementsSuite(open))
  describe('ledger: what it shows', () => statementsSuite(open))
}

function transfersSuite(open: OpenStorage): void {
  it('credits an account and keeps the sum of entries', async () => {
    const { ledger, ...storage } = await open()
    const { account } = await addCustomer({ ledger, ...storage }, { balanceNano: 5n * usd })
    await ledger.post(buildGrant(account.id, 2n * usd, { code: 'topup', debit: 'funding:x402:eip155:8453' }))
    await ledger.post(
      buildGrant(account.id, usd, { code: 'clawback', debit: `customer:${account.id}`, credit: 'funding:manual' }),
    )
    expect(await ledger.balance(account.id)).toEqual({
      balanceNano: 6n * usd,
      heldNano: 0n,
      creditedNano: 7n * usd,
      debitedNano: usd,
      funds: noOtherFunds,
    })
  })

  it('posts a transfer once however often it is repeated, and refuses another one under its key', async () => {
    const { ledger, ...storage } = await open()
    const { account } = await addCustomer({ ledger, ...storage })
    const grant = buildGrant(account.id, usd)
    const repeated = Array.from({ length: 20 }, () => ledger.post({ ...grant, id: `xfer_${random.hex(12)}` }))
    const posted = await Promise.all(repeated)
    expect(new Set(posted.map(({ transferId }) => transferId)).size).toBe(1)
    expect(posted.filter(({ repeated }) => !repeated)).toHaveLength(1)
    expect((await ledger.balance(account.id)).balanceNano).toBe(usd)
    await expect(ledger.post({ ...grant, amountNano: 2n * usd })).rejects.toThrow(StoreConflict)
    await expect(ledger.post({ ...grant, code: 'topup' })).rejects.toThrow(StoreConflict)
    expect((await ledger.balance(account.id)).balanceNano).toBe(usd)
  })

  it('refuses transfers that cannot be, and none of them harms its neighbours', async () => {
    const { ledger, ...storage } = await open()
    const { account } = await addCustomer({ ledger, ...storage })
    const other = await addCustomer({ ledger, ...storage })
    const bad = [
      { amountNano: 0n },
      { amountNano: -usd },
      { amountNano: 2n ** 63n },
      { credit: 'customer:acc_none' },
      { debit: `customer:${other.account.id}` },
      { debit: `customer:${account.id}` },
      { code: 'usage' as const },
      { code: 'adjust' as const },
      { holdId: 'hold_none' },
      { code: 'refund' as const, debit: 'revenue', holdId: 'hold_none' },
    ]
    const results = await Promise.allSettled([
      ledger.post(buildGrant(account.id, usd)),
      ...bad.map(change => ledger.post(buildGrant(account.id, usd, change))),
      ledger.post(buildGrant(account.id, usd)),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', ...bad.map(() => 'rejected'), 'fulfilled'])
    expect((await ledger.balance(account.id)).balanceNano).toBe(2n * usd)
  })

  it('refunds a request at most what it was charged', async () => {
    const { admission, ledger, ...storage } = await open()
    const { account, key } = await addCustomer({ ledger, ...storage }, { balanceNano: 5n * usd })
    const request = buildRequest(key)
    await admission.admit(request)
    await ledger.settle(buildSettlement(request, usd))
    const refund = (amountNano: bigint) =>
      ledger.post(buildGrant(account.id, amountNano, { code: 'refund', debit: 'revenue', holdId: request.holdId }))
    await refund(usd / 2n)
    await expect(refund(usd / 2n + 1n)).rejects.toThrow(RangeError)
    await refund(usd / 2n)
    await expect(refund(1n)).rejects.toThrow(RangeError)
    expect((await ledger.balance(account.id)).balanceNano).toBe(5n * usd)
  })
}

/** A customer with 10 USD and one admitted request that holds one. */
async function admitOne(storage: Storage, change: Parameters<typeof buildRequest>[1] = {}) {
  const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd })
  const request = buildRequest(key, change)
  const decision = await storage.admission.admit(request)
  expect(decision.admitted).toBe(true)
  return { account, key, request }
}

function settlementsSuite(open: OpenStorage, propertyRuns: number): void {
  it('takes the charge, lets the hold go and writes the record', async () => {
    const storage = await open()
    const { account, key, request } = await admitOne(storage)
    const lines = [
      { kind: 'input', quantity: 10, amountNano: 30n },
      { kind: 'output', quantity: 10, amountNano: 70n },
    ] as const
    const result = await storage.ledger.settle(buildSettlement(request, 100n, { lines }))
    expect(result).toEqual({ effect: 'settled', chargedNano: 100n, paid: null, lines })
    expect(await storage.ledger.balance(account.id)).toMatchObject({ balanceNano: 10n * usd - 100n, heldNano: 0n })
    const record = await storage.usage.findByGeneration(request.generationId, account.id)
    expect(record).toEqual({
      ...buildSettlement(request, 100n).record,
      heldNano: usd,
      costNano: 100n,
      lines,
      keyId: key.id,
    })
    expect(await storage.ledger.holdFacts(request.holdId)).toEqual({
      holdId: request.holdId,
      heldNano: usd,
      settledNano: 100n,
      state: 'settled',
      balanceBeforeNano: 10n * usd,
      balanceAfterNano: 10n * usd - 100n,
    })
  })

  it('never charges more than the hold, and says what it wrote off', async () => {
    const storage = await open()
    const { account, request } = await admitOne(storage)
    const lines = [
      { kind: 'input', quantity: 1, amountNano: usd / 2n },
      { kind: 'output', quantity: 1, amountNano: 2n * usd },
    ] as const
    const result = await storage.ledger.settle(buildSettlement(request, (5n * usd) / 2n, { lines }))
    expect(result.chargedNano).toBe(usd)
    expect(result.lines.map(line => line.amountNano)).toEqual([usd / 2n, usd / 2n])
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(9n * usd)
  })

  it('keeps a record of a request that costs nothing, and posts no transfer for it', async () => {
    const storage = await open()
    const { account, request } = await admitOne(storage)
    const record = { outcome: 'upstream_fail', status: 502, engine: null } as const
    await storage.ledger.settle(buildSettlement(request, 0n, { record }))
    expect(await storage.usage.findByGeneration(request.generationId, account.id)).toMatchObject({
      costNano: 0n,
      ...record,
    })
    expect(await storage.ledger.holdFacts(request.holdId)).toMatchObject({ state: 'released', settledNano: 0n })
    const statement = await storage.ledger.statement(account.id, { fromMs: 0, toMs: nowMs * 2, limit: 10 })
    expect(statement.lines.map(line => line.code)).toEqual(['grant'])
  })

  it(
    'settles a hold once, whichever of four racing endings comes first',
    async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: 1_000_000n * usd })
      let spentNano = 0n
      const charges = fc.array(fc.bigInt({ min: 0n, max: 2n * usd }), { minLength: 4, maxLength: 4 })
      await fc.assert(
        fc.asyncProperty(charges, fc.boolean(), async (endings, together) => {
          const request = buildRequest(key)
          await storage.admission.admit(request)
          const settle = (chargeNano: bigint) => storage.ledger.settle(buildSettlement(request, chargeNano))
          const results = together
            ? await Promise.all(endings.map(settle))
            : await endings.reduce(async (done, ending) => [...(await done), await settle(ending)], settleNone)
          const [first] = results
          expect(results.map(({ effect }) => effect)).toEqual(['settled', 'already', 'already', 'already'])
          expect(new Set(results.map(({ chargedNano }) => chargedNano))).toEqual(new Set([first?.chargedNano]))
          expect(results.at(-1)?.lines).toEqual(first?.lines)
          spentNano += first?.chargedNano ?? 0n
        }),
        { numRuns: propertyRuns },
      )
      expect(await storage.ledger.balance(account.id)).toMatchObject({
        balanceNano: 1_000_000n * usd - spentNano,
        heldNano: 0n,
      })
    },
    propertyMs,
  )

  it('refuses to settle what was never held', async () => {
    const storage = await open()
    const { key } = await addCustomer(storage, { balanceNano: usd })
    await expect(storage.ledger.settle(buildSettlement(buildRequest(key), 1n))).rejects.toThrow('no such hold')
  })

  it('fails alone when a record cannot be written, and leaves its hold open', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const requests = Array.from({ length: 20 }, () => buildRequest(key))
    await Promise.all(requests.map(request => storage.admission.admit(request)))
    const settlements = requests.map((request, index) =>
      buildSettlement(request, usd, index === 9 ? { record: { generationId: requests[3]?.generationId ?? '' } } : {}),
    )
    const results = await Promise.allSettled(settlements.map(settlement => storage.ledger.settle(settlement)))
    expect(results.map(({ status }) => status)).toEqual(requests.map((_, i) => (i === 9 ? 'rejected' : 'fulfilled')))
    expect(await storage.ledger.balance(account.id)).toMatchObject({ balanceNano: 81n * usd, heldNano: usd })
    await storage.ledger.settle(buildSettlement(requests[9] ?? buildRequest(key), 0n))
    expect((await storage.ledger.balance(account.id)).heldNano).toBe(0n)
  })
}

const settleNone: Promise<Awaited<ReturnType<Storage['ledger']['settle']>>[]> = Promise.resolve([])

function loweringSuite(open: OpenStorage): void {
  const diem = 3n * usd
  const begin = async (customer: Parameters<typeof addCustomer>[1]) => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, customer)
    const request = buildRequest(key, { fixedNano: 4n * usd })
    expect(await storage.admission.admit(request)).toMatchObject({ admitted: true })
    return { ...storage, account, key, request }
  }

  it('give back what is above the amount, to the account and to the key’s limit', async () => {
    const { ledger, admission, account, key, request } = await begin({
      balanceNano: 5n * usd,
      key: { limitNano: 5n * usd },
    })
    const another = () => admission.admit(buildRequest(key, { fixedNano: 3n * usd }))
    expect(await another()).toMatchObject({ admitted: false })
    await ledger.lower({ holdId: request.holdId, amountNano: 2n * usd })
    expect(await ledger.balance(account.id)).toMatchObject({ balanceNano: 5n * usd, heldNano: 2n * usd })
    expect(await another()).toMatchObject({ admitted: true })
    expect((await ledger.verify()).problems).toEqual([])
  })

  it('give back dollars before the allowance of the day', async () => {
    const { ledger, account, request } = await begin({ balanceNano: 5n * usd, account: { diemPerDayNano: diem } })
    await ledger.lower({ holdId: request.holdId, amountNano: 3n * usd + 7n })
    expect(await ledger.balance(account.id)).toMatchObject({ heldNano: 7n, funds: { diemHeldNano: diem } })
    await ledger.lower({ holdId: request.holdId, amountNano: 5n })
    expect(await ledger.balance(account.id)).toMatchObject({ heldNano: 0n, funds: { diemHeldNano: 5n } })
    await ledger.lower({ holdId: request.holdId, amountNano: 0n })
    expect(await ledger.balance(account.id)).toMatchObject({ heldNano: 0n, funds: { diemHeldNano: 0n } })
    expect((await ledger.verify()).problems).toEqual([])
  })

  it('are lowered once however often that is asked, never raised, and never charged above', async () => {
    const { ledger, account, request } = await begin({ balanceNano: 5n * usd })
    const amounts = [2n, 1n, 4n, 3n, 9n].map(dollars => dollars * usd)
    await Promise.all(amounts.map(amountNano => ledger.lower({ holdId: request.holdId, amountNano })))
    expect((await ledger.balance(account.id)).heldNano).toBe(usd)
    const { chargedNano } = await ledger.settle(buildSettlement(request, 4n * usd))
    expect(chargedNano).toBe(usd)
    await ledger.lower({ holdId: request.holdId, amountNano: 0n })
    expect(await ledger.balance(account.id)).toMatchObject({ balanceNano: 4n * usd, heldNano: 0n })
    expect((await ledger.verify()).problems).toEqual([])
  })

  it('that are not there, and amounts that cannot be, change nothing', async () => {
    const { ledger, account, request } = await begin({ balanceNano: 5n * usd })
    await ledger.lower({ holdId: 'hold_none', amountNano: 0n })
    await expect(ledger.lower({ holdId: request.holdId, amountNano: -1n })).rejects.toThrow(RangeError)
    expect((await ledger.balance(account.id)).heldNano).toBe(4n * usd)
  })

  it('are resolved at their last mark like others, at most at what they were lowered to', async () => {
    const { ledger, account, request } = await begin({ balanceNano: 5n * usd })
    const { holdId } = request
    await ledger.lower({ holdId, amountNano: 2n * usd })
    await ledger.mark({ holdId, chargeNano: 3n * usd, promptTokens: 1, completionTokens: 1, fees: noFees, atMs: nowMs })
    expect(await ledger.sweep(request.deadlineMs + 1, 0)).toMatchObject({ charged: 1 })
    expect(await ledger.balance(account.id)).toMatchObject({ balanceNano: 3n * usd, heldNano: 0n })
    expect((await ledger.verify()).problems).toEqual([])
  })
}

function freeFailuresSuite(open: OpenStorage): void {
  it('are free as often as the account may fail in an hour, then cost what was delivered', async () => {
    const storage = await open()
    const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
    const fail = async (atMs: number) => {
      const request = buildRequest(key)
      await storage.admission.admit(request)
      const lines = [{ kind: 'input', quantity: 1, amountNano: 7n }] as const
      const freeFailure = { allowancePerHour: 3, chargeNano: 7n, lines }
      return await storage.ledger.settle(buildSettlement(request, 0n, { freeFailure, writeoffNano: 7n, atMs }))
    }
    const charges = await Promise.all(Array.from({ length: 5 }, () => fail(nowMs)))
    expect(charges.map(({ chargedNano }) => chargedNano)).toEqual([0n, 0n, 0n, 7n, 7n])
    expect(charges.at(-1)?.lines).toEqual([{ kind: 'input', quantity: 1, amountNano: 7n }])
    expect((await fail(nowMs + hour)).chargedNano).toBe(0n)
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(100n * usd - 14n)
  })

  it('are none when the allowance is zero', async () => {
    const storage = await open()
    const { request } = await admitOne(storage)
    const freeFailure = {
      allowancePerHour: 0,
      chargeNano: 5n,
      lines: [{ kind: 'input', quantity: 1, amountNano: 5n }],
    } as const
    expect((await storage.ledger.settle(buildSettlement(request, 0n, { freeFailure }))).chargedNano).toBe(5n)
  })
}

function recoverySuite(open: OpenStorage): void {
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

function lateSettlementsSuite(open: OpenStorage): void {
  async function swept(storage: Storage, markedNano: bigint, mode: 'soft' | 'strict' = 'strict') {
    const { account, key } = await addCustomer(storage, { balanceNano: 10n * usd, account: { mode } })
    const request = buildRequest(key, { deadlineMs: nowMs - 100_000 })
    await storage.admission.admit(request)
    const progress = { promptTokens: 1, completionTokens: 1, fees: noFees, atMs: nowMs }
    await storage.ledger.mark({ holdId: request.holdId, chargeNano: markedNano, ...progress })
    await storage.ledger.sweep(nowMs, 60_000)
    return { account, key, request }
  }

  it.each([
    ['more', 700n],
    ['less', 100n],
    ['the same', 300n],
    ['nothing', 0n],
  ])('post the difference once when the request really cost %s', async (_, chargeNano) => {
    const storage = await open()
    const { account, request } = await swept(storage, 300n)
    const settle = (nano: bigint) => storage.ledger.settle(buildSettlement(request, nano))
    expect(await settle(chargeNano)).toMatchObject({ effect: 'adjusted', chargedNano: chargeNano })
    expect(await settle(900n)).toMatchObject({ effect: 'already', chargedNano: chargeNano })
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(10n * usd - chargeNano)
    const record = await storage.usage.findByGeneration(request.generationId, account.id)
    expect(record).toMatchObject({ outcome: 'done', costNano: chargeNano, costDelivered: true })
    expect(await storage.ledger.holdFacts(request.holdId)).toMatchObject({ balanceAfterNano: 10n * usd - chargeNano })
  })

  it('never take more than the hold', async () => {
    const storage = await open()
    const { account, request } = await swept(storage, 300n)
    expect(await storage.ledger.settle(buildSettlement(request, 5n * usd))).toMatchObject({ chargedNano: usd })
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(9n * usd)
  })

  it.each([
    ['strict', 0n],
    ['soft', usd / 2n],
  ] as const)('take from a %s account no more than it has left by then', async (mode, overdraftNano) => {
    const storage = await open()
    const { account, key, request } = await swept(storage, 0n, mode)
    const rest = buildRequest(key, { fixedNano: 10n * usd - 7n })
    expect((await storage.admission.admit(rest)).admitted).toBe(true)
    const settled = await storage.ledger.settle(buildSettlement(request, usd))
    expect(settled).toMatchObject({ effect: 'adjusted', chargedNano: 7n + overdraftNano })
    await storage.ledger.settle(buildSettlement(rest, 10n * usd - 7n))
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(-overdraftNano)
  })

  it('race to one correction', async () => {
    const storage = await open()
    const { account, request } = await swept(storage, 300n)
    const late: Settlement[] = [10n, 20n, 30n, 40n].map(nano => buildSettlement(request, nano))
    const results = await Promise.all(late.map(settlement => storage.ledger.settle(settlement)))
    expect(results.map(({ effect }) => effect)).toEqual(['adjusted', 'already', 'already', 'already'])
    expect((await storage.ledger.balance(account.id)).balanceNano).toBe(10n * usd - 10n)
  })
}

function statementsSuite(open: OpenStorage): void {
  it('explains a balance line by line between two moments', async () => {
    const storage = await open()
    const { account, key, request } = await admitOne(storage)
    await storage.ledger.settle(buildSettlement(request, 100n, { atMs: nowMs + 1_000 }))
    await storage.ledger.post(buildGrant(account.id, 50n, { note: 'a gift', createdAtMs: nowMs + 2_000 }))
    const from = (fromMs: number, limit = 10) =>
      storage.ledger.statement(account.id, { fromMs, toMs: nowMs + 2_001, limit })
    expect(await from(0)).toMatchObject({
      openingNano: 0n,
      closingNano: 10n * usd - 50n,
      lines: [
        { code: 'grant', amountNano: 10n * usd, balanceNano: 10n * usd, requestId: null, keyId: null },
        {
          code: 'usage',
          amountNano: -100n,
          balanceNano: 10n * usd - 100n,
          requestId: request.requestId,
          keyId: key.id,
          atMs: nowMs + 1_000,
        },
        { code: 'grant', amountNano: 50n, balanceNano: 10n * usd - 50n, note: 'a gift' },
      ],
    })
    expect(await from(nowMs + 2_000)).toMatchObject({ openingNano: 10n * usd - 100n, lines: [{ amountNano: 50n }] })
    expect(await from(nowMs + 2_001)).toMatchObject({
      openingNano: 10n * usd - 50n,
      closingNano: 10n * usd - 50n,
      lines: [],
    })
    expect((await from(0, 2)).lines).toHaveLength(2)
    expect(await storage.ledger.statement('acc_none', { fromMs: 0, toMs: nowMs, limit: 10 })).toMatchObject({
      lines: [],
    })
  })

  it('shows an open hold with the balance as it stands', async () => {
    const storage = await open()
    const { request } = await admitOne(storage)
    expect(await storage.ledger.holdFacts(request.holdId)).toEqual({
      holdId: request.holdId,
      heldNano: usd,
      settledNano: null,
      state: 'open',
      balanceBeforeNano: 10n * usd,
      balanceAfterNano: null,
    })
    expect(await storage.ledger.holdFacts('hold_none')).toBeNull()
  })

  it('verifies after everything that the other tests did to it', async () => {
    const storage = await open()
    const { request } = await admitOne(storage)
    await storage.ledger.settle(
      buildSettlement(request, 9n, { record: { outcome: 'client_abort', costDelivered: false } }),
    )
    const report = await storage.ledger.verify()
    expect(report.problems).toEqual([])
    expect(report.ok).toBe(true)
    expect(report.undelivered).toContainEqual(expect.stringContaining(request.requestId))
  })
}
