import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noFees } from '../../src/core/price.ts'
import type { AdmissionRequest } from '../../src/domain/admission/types.ts'
import { buildGrant, buildRequest, buildSettlement, nowMs, usd } from './builders.ts'
import { type InProcessStore, openInProcess } from './in-process-store.ts'
import { makeFolder } from './make-folder.ts'
import { addCustomer } from './open-test-storage.ts'

const runs = process.env['RIALTO_TEST_LONG'] === '1' ? 2_000 : 60

/** What a gateway may do at any moment, with the account and the hold it does it to chosen by number. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('admit' as const), who: fc.nat(), nano: nanoUpTo(3n) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), which: fc.nat(), nano: nanoUpTo(4n) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('mark' as const), which: fc.nat(), nano: nanoUpTo(4n) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lower' as const), which: fc.nat(), nano: nanoUpTo(3n) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('grant' as const), who: fc.nat(), nano: nanoUpTo(5n) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
)

type Step = Parameters<Parameters<(typeof step)['map']>[0]>[0]

function nanoUpTo(dollars: bigint): fc.Arbitrary<bigint> {
  return fc.bigInt({ min: 1n, max: dollars * usd })
}

interface Customer {
  readonly accountId: string
  readonly mode: 'soft' | 'strict'
  readonly admit: (fixedNano: bigint) => Promise<AdmissionRequest | null>
}

describe('whatever happens in whatever order and company', () => {
  it('the books agree with themselves and with what callers were told', async () => {
    const store = await openInProcess(join(makeFolder(), 'rialto.db'))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 8 }), async turns => {
        const customers = [await addModelCustomer(store, 'soft'), await addModelCustomer(store, 'strict')]
        const told = new Map<string, { readonly accountId: string; readonly chargedNano: bigint }>()
        const holds: AdmissionRequest[] = []
        const granted = new Map(customers.map(({ accountId }) => [accountId, 5n * usd]))
        const act = async (one: Step) => {
          if (one.do === 'sweep') return void (await store.ledger.sweep(nowMs + 200_000, 0))
          if (one.do === 'admit' || one.do === 'grant') {
            const customer = customers[one.who % customers.length]
            if (customer === undefined) return
            if (one.do === 'admit') {
              const request = await customer.admit(one.nano)
              if (request !== null) holds.push(request)
              return
            }
            granted.set(customer.accountId, (granted.get(customer.accountId) ?? 0n) + one.nano)
            await store.ledger.post(buildGrant(customer.accountId, one.nano))
            return
          }
          const request = holds[one.which % Math.max(holds.length, 1)]
          if (request === undefined) return
          const { holdId, accountId } = request
          if (one.do === 'lower') return await store.ledger.lower({ holdId, amountNano: one.nano })
          if (one.do === 'mark') {
            const progress = { promptTokens: 1, completionTokens: 1, fees: noFees, atMs: nowMs }
            return await store.ledger.mark({ holdId, chargeNano: one.nano, ...progress })
          }
          const { chargedNano, effect } = await store.ledger.settle(buildSettlement(request, one.nano))
          expect(chargedNano).toBeLessThanOrEqual(request.fixedNano)
          if (effect === 'already') expect(told.get(holdId)?.chargedNano ?? chargedNano).toBe(chargedNano)
          told.set(holdId, { accountId, chargedNano })
        }
        for (const turn of turns) await Promise.all(turn.map(act))
        for (const request of holds) {
          const { chargedNano } = await store.ledger.settle(buildSettlement(request, 0n))
          told.set(request.holdId, { accountId: request.accountId, chargedNano })
        }
        for (const { accountId, mode } of customers) {
          const balance = await store.ledger.balance(accountId)
          const charged = [...told.values()].filter(settled => settled.accountId === accountId)
          const chargedNano = charged.reduce((sum, settled) => sum + settled.chargedNano, 0n)
          expect(balance.balanceNano).toBe((granted.get(accountId) ?? 0n) - chargedNano)
          expect(balance.heldNano).toBe(0n)
          expect(balance.balanceNano).toBeGreaterThanOrEqual(mode === 'soft' ? -usd / 2n : 0n)
        }
      }),
      { numRuns: runs },
    )
    expect((await store.ledger.verify()).problems).toEqual([])
  })
})

async function addModelCustomer(store: InProcessStore, mode: 'soft' | 'strict'): Promise<Customer> {
  const { account, key } = await addCustomer(store, { balanceNano: 5n * usd, account: { mode } })
  return {
    accountId: account.id,
    mode,
    async admit(fixedNano) {
      const request = buildRequest(key, { fixedNano, deadlineMs: nowMs + 100_000 })
      return (await store.admission.admit(request)).admitted ? request : null
    },
  }
}
