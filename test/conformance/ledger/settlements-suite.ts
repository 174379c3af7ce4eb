import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Storage } from '../../../src/adapters/storage/storage.ts'
import { buildRequest, buildSettlement, nowMs, usd } from '../builders.ts'
import { addCustomer, type OpenStorage } from '../open-test-storage.ts'
import { admitOne } from './admit-one.ts'

/** Every run waits for some commits of a server, which a busy machine makes slow. */
const propertyMs = process.env['RIALTO_TEST_LONG'] === '1' ? 900_000 : 120_000

const settleNone: Promise<Awaited<ReturnType<Storage['ledger']['settle']>>[]> = Promise.resolve([])

export function settlementsSuite(open: OpenStorage, propertyRuns: number): void {
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
