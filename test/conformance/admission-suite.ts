import { describe, expect, it } from 'vitest'
import type { AdmissionDecision, AdmissionRequest } from '../../src/domain/admission/types.ts'
import { buildRequest, buildSettlement, nowMs, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

/** Full race counts take minutes; the short ones catch a missing guard just as surely. */
const raceRuns = process.env['RIALTO_TEST_LONG'] === '1' ? 200 : 5
const day = 86_400_000

export function admissionSuite(open: OpenStorage): void {
  describe('admission: one atomic decision', () => {
    it('places the hold that the decision names', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: 5n * usd })
      const decision = await storage.admission.admit(buildRequest(key, { fixedNano: 2n * usd }))
      expect(decision).toMatchObject({ admitted: true, holdNano: 2n * usd, outputLimit: 100 })
      expect(await storage.ledger.balance(account.id)).toMatchObject({ balanceNano: 5n * usd, heldNano: 2n * usd })
    })

    it('holds the price of the output that may come', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: 5n * usd })
      await storage.admission.admit(
        buildRequest(key, { fixedNano: 7n, outputNanoPerMillion: usd, choices: 2, outputLimit: 1_000 }),
      )
      expect((await storage.ledger.balance(account.id)).heldNano).toBe(7n + 2_000_000n)
    })

    for (const affordable of [0, 1, 7, 100]) {
      it(`admits exactly ${affordable} of 1,000 parallel requests when a strict account pays for ${affordable}`, async () => {
        const storage = await open()
        for (let run = 0; run < raceRuns; run++) {
          const { account, key } = await addCustomer(storage, { balanceNano: BigInt(affordable) * usd + usd / 2n })
          const decisions = await admitMany(storage.admission.admit, 1_000, () => buildRequest(key))
          expect(decisions.filter(decision => decision.admitted)).toHaveLength(affordable)
          const reasons = new Set(decisions.map(decision => !decision.admitted && decision.reason))
          if (affordable < 1_000) expect(reasons).toContain('insufficient_balance')
          expect((await storage.ledger.balance(account.id)).heldNano).toBe(BigInt(affordable) * usd)
        }
      })
    }

    it('never lets a soft account end below its overdraft, whatever runs at once', async () => {
      const storage = await open()
      for (let run = 0; run < raceRuns; run++) {
        const { account, key } = await addCustomer(storage, { balanceNano: 3n * usd, account: { mode: 'soft' } })
        const requests = Array.from({ length: 300 }, () =>
          buildRequest(key, { fixedNano: BigInt(Math.ceil(Math.random() * 1_500)) * 1_000_000n }),
        )
        const decisions = await Promise.all(requests.map(request => storage.admission.admit(request)))
        const admitted = requests.filter((_, index) => decisions[index]?.admitted)
        await Promise.all(admitted.map(request => storage.ledger.settle(buildSettlement(request, request.fixedNano))))
        const { balanceNano, heldNano } = await storage.ledger.balance(account.id)
        expect(heldNano).toBe(0n)
        expect(balanceNano).toBeGreaterThanOrEqual(-usd / 2n)
        expect(balanceNano).toBeLessThan(usd)
      }
    })

    it('admits nothing to a soft account without money, and nothing beyond the overdraft', async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { account: { mode: 'soft' } })
      expect(await storage.admission.admit(buildRequest(key, { fixedNano: 1n }))).toMatchObject({ admitted: false })
      const other = await addCustomer(storage, { balanceNano: 1n, account: { mode: 'soft' } })
      expect(await storage.admission.admit(buildRequest(other.key, { fixedNano: usd / 2n + 2n }))).toMatchObject({
        admitted: false,
        reason: 'insufficient_balance',
      })
      expect(await storage.admission.admit(buildRequest(other.key, { fixedNano: usd / 2n + 1n }))).toMatchObject({
        admitted: true,
      })
    })

    it('counts what a key spent and holds against its limit, in parallel too', async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { balanceNano: 1_000n * usd, key: { limitNano: 10n * usd } })
      const first = buildRequest(key, { fixedNano: 3n * usd })
      await storage.admission.admit(first)
      await storage.ledger.settle(buildSettlement(first, 3n * usd))
      const decisions = await admitMany(storage.admission.admit, 200, () => buildRequest(key))
      expect(decisions.filter(decision => decision.admitted)).toHaveLength(7)
      expect(decisions.filter(decision => !decision.admitted && decision.reason === 'key_limit_exceeded')).toHaveLength(
        193,
      )
    })

    it("starts a key's spending again when its period is over", async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { balanceNano: 9n * usd, key: { limitNano: usd, period: 'epoch' } })
      const first = buildRequest(key)
      await storage.admission.admit(first)
      await storage.ledger.settle(buildSettlement(first, usd))
      expect(await storage.admission.admit(buildRequest(key))).toMatchObject({ reason: 'key_limit_exceeded' })
      expect(await storage.admission.admit(buildRequest(key, { nowMs: nowMs + day }))).toMatchObject({ admitted: true })
    })

    it('keeps request rates exactly, per model and per key', async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { balanceNano: 1_000n * usd, key: { requestsPerMinute: 7 } })
      const rates = { requestsPerMinute: 5, tokensPerMinute: 'unlimited', requestsPerDay: 'unlimited' } as const
      const ofModel = (model: string) =>
        admitMany(storage.admission.admit, 40, () => buildRequest(key, { model, modelRates: rates }))
      expect(countAdmitted(await ofModel('a'))).toBe(5)
      expect(countAdmitted(await ofModel('b'))).toBe(2)
      const later = await storage.admission.admit(buildRequest(key, { model: 'a', nowMs: nowMs + 60_000 }))
      expect(later.admitted).toBe(true)
    })

    it('keeps the requests of a day exactly, per account and model, until the next one begins in UTC', async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { balanceNano: 1_000n * usd })
      const modelRates = { requestsPerMinute: 'unlimited', tokensPerMinute: 'unlimited', requestsPerDay: 5 } as const
      const ofModel = (model: string, atMs: number) =>
        admitMany(storage.admission.admit, 40, () => buildRequest(key, { model, modelRates, nowMs: atMs }))
      const lastMs = Math.floor(nowMs / day) * day + day - 1
      const first = await ofModel('a', lastMs)
      expect(countAdmitted(first)).toBe(5)
      expect(first.filter(decision => !decision.admitted && decision.reason === 'rate_limit_daily')).toHaveLength(35)
      expect(countAdmitted(await ofModel('b', lastMs))).toBe(5)
      expect(countAdmitted(await ofModel('a', lastMs + 1))).toBe(5)
      expect(countAdmitted(await ofModel('a', lastMs))).toBe(0)
      const none = buildRequest(key, { model: 'c', modelRates: { ...modelRates, requestsPerDay: 0 } })
      expect(await storage.admission.admit(none)).toMatchObject({ reason: 'rate_limit_daily', limit: 0 })
    })

    it("keeps the requests of a key's day exactly, over all models, until the next one begins in UTC", async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { balanceNano: 1_000n * usd, key: { requestsPerDay: 5 } })
      const modelRates = { requestsPerMinute: 'unlimited', tokensPerMinute: 'unlimited', requestsPerDay: 3 } as const
      const ofModel = (model: string, atMs: number) =>
        admitMany(storage.admission.admit, 40, () => buildRequest(key, { model, modelRates, nowMs: atMs }))
      const lastMs = Math.floor(nowMs / day) * day + day - 1
      expect(countAdmitted(await ofModel('a', lastMs))).toBe(3)
      const second = await ofModel('b', lastMs)
      expect(countAdmitted(second)).toBe(2)
      const limits = second.flatMap(decision => (decision.admitted ? [] : [[decision.reason, decision.limit]]))
      expect(limits).toEqual(Array(38).fill(['rate_limit_daily', 5]))
      expect(countAdmitted(await ofModel('c', lastMs))).toBe(0)
      expect(countAdmitted(await ofModel('a', lastMs + 1))).toBe(3)
      const closed = await addCustomer(storage, { balanceNano: usd, key: { requestsPerDay: 0 } })
      const refused = await storage.admission.admit(buildRequest(closed.key))
      expect(refused).toMatchObject({ reason: 'rate_limit_daily', limit: 0 })
    })

    it('keeps the count of a day when a request is settled', async () => {
      const storage = await open()
      const limits = { requestsPerDay: 1, tokensPerMinute: 1_000 }
      const { key } = await addCustomer(storage, { balanceNano: 1_000n * usd, key: limits })
      const modelRates = { requestsPerMinute: 9, tokensPerMinute: 1_000, requestsPerDay: 1 } as const
      const only = buildRequest(key, { modelRates })
      expect(await storage.admission.admit(only)).toMatchObject({ admitted: true })
      await storage.ledger.settle(buildSettlement(only, 1n))
      expect(await storage.admission.admit(buildRequest(key, { model: 'b' }))).toMatchObject({
        reason: 'rate_limit_daily',
      })
      const other = await addCustomer(storage, { balanceNano: usd })
      expect(await storage.admission.admit(buildRequest(other.key, { modelRates }))).toMatchObject({ admitted: true })
    })

    it('counts no request of the day that something else refuses', async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { balanceNano: usd })
      const modelRates = { requestsPerMinute: 'unlimited', tokensPerMinute: 'unlimited', requestsPerDay: 1 } as const
      const poor = buildRequest(key, { modelRates, fixedNano: 2n * usd })
      expect(await storage.admission.admit(poor)).toMatchObject({ reason: 'insufficient_balance' })
      expect(await storage.admission.admit(buildRequest(key, { modelRates }))).toMatchObject({ admitted: true })
      expect(await storage.admission.admit(poor)).toMatchObject({ reason: 'rate_limit_daily' })
    })

    it('takes tokens by their bound and gives back what was not used', async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { balanceNano: 1_000n * usd, key: { tokensPerMinute: 1_000 } })
      const build = () =>
        buildRequest(key, {
          promptTokensBound: 300,
          modelRates: { requestsPerMinute: 'unlimited', tokensPerMinute: 900, requestsPerDay: 'unlimited' },
        })
      const first = build()
      const admitted = await storage.admission.admit(first)
      expect(admitted).toMatchObject({ admitted: true, tokensTaken: 400, rates: { remainingTokens: 500 } })
      expect(await storage.admission.admit(build())).toMatchObject({ admitted: true, rates: { remainingTokens: 100 } })
      expect(await storage.admission.admit(build())).toMatchObject({ admitted: false, reason: 'rate_limit_tokens' })
      await storage.ledger.settle(buildSettlement(first, usd, { tokensUsed: 50, atMs: nowMs }))
      expect(await storage.admission.admit(build())).toMatchObject({ admitted: true, rates: { remainingTokens: 50 } })
    })

    it('bounds what an account and a key run at the same time', async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { balanceNano: 1_000n * usd, key: { concurrency: 3 } })
      const requests = Array.from({ length: 20 }, () => buildRequest(key, { accountConcurrency: 5 }))
      const decisions = await Promise.all(requests.map(request => storage.admission.admit(request)))
      expect(countAdmitted(decisions)).toBe(3)
      expect(decisions).toContainEqual(expect.objectContaining({ reason: 'concurrency_key' }))
      const running = requests.find((_, index) => decisions[index]?.admitted) as AdmissionRequest
      await storage.ledger.settle(buildSettlement(running, 0n))
      expect(await storage.admission.admit(buildRequest(key))).toMatchObject({ admitted: true })
      expect(await storage.admission.admit(buildRequest(key, { accountConcurrency: 3 }))).toMatchObject({
        reason: 'concurrency_account',
      })
    })

    it('changes no counter when it refuses', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: usd, key: { requestsPerMinute: 3 } })
      const rates = { requestsPerMinute: 3, tokensPerMinute: 3_000, requestsPerDay: 'unlimited' } as const
      const dear = () => buildRequest(key, { fixedNano: 2n * usd, modelRates: rates })
      for (let count = 0; count < 20; count++)
        expect(await storage.admission.admit(dear())).toMatchObject({ reason: 'insufficient_balance' })
      expect(await storage.ledger.balance(account.id)).toMatchObject({ balanceNano: usd, heldNano: 0n })
      const decisions = await admitMany(storage.admission.admit, 9, () =>
        buildRequest(key, { fixedNano: 1n, modelRates: rates }),
      )
      expect(countAdmitted(decisions)).toBe(3)
    })

    it('refuses keys that are unknown, revoked, expired or of another account', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: usd })
      const other = await addCustomer(storage, { balanceNano: usd, key: { expiresAtMs: nowMs } })
      const refused = { admitted: false, reason: 'invalid_api_key' }
      expect(await storage.admission.admit(buildRequest({ ...key, id: 'key_none' }))).toMatchObject(refused)
      expect(await storage.admission.admit(buildRequest({ ...key, accountId: 'acc_none' }))).toMatchObject(refused)
      expect(await storage.admission.admit(buildRequest({ ...other.key, accountId: account.id }))).toMatchObject(
        refused,
      )
      expect(await storage.admission.admit(buildRequest(other.key))).toMatchObject(refused)
      expect((await storage.admission.admit(buildRequest(key, { fixedNano: 1n }))).admitted).toBe(true)
      await storage.identity.revokeKey(key.id, nowMs)
      expect(await storage.admission.admit(buildRequest(key, { fixedNano: 1n }))).toMatchObject(refused)
    })

    it('opens free models to an empty balance', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage)
      const request = buildRequest(key, { free: true })
      expect(await storage.admission.admit(request)).toMatchObject({ admitted: true, holdNano: 0n })
      expect(await storage.ledger.settle(buildSettlement(request, 0n))).toMatchObject({ effect: 'settled' })
      expect(await storage.ledger.balance(account.id)).toMatchObject({ balanceNano: 0n, heldNano: 0n })
    })

    it('refuses quantities that are no integers without harm to the rest of the group', async () => {
      const storage = await open()
      const { key } = await addCustomer(storage, { balanceNano: 100n * usd })
      const requests = Array.from({ length: 9 }, (_, index) =>
        buildRequest(key, index === 4 ? { outputLimit: Number.NaN } : {}),
      )
      const results = await Promise.allSettled(requests.map(request => storage.admission.admit(request)))
      expect(results.map(result => result.status === 'fulfilled' && result.value.admitted)).toEqual(
        requests.map((_, index) => index !== 4),
      )
    })

    it('admits no second hold under the same id', async () => {
      const storage = await open()
      const { account, key } = await addCustomer(storage, { balanceNano: 100n * usd })
      const request = buildRequest(key)
      const results = await Promise.allSettled([storage.admission.admit(request), storage.admission.admit(request)])
      expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected'])
      expect((await storage.ledger.balance(account.id)).heldNano).toBe(usd)
    })
  })
}

type Admit = (request: AdmissionRequest) => Promise<AdmissionDecision>

export function admitMany(admit: Admit, count: number, build: () => AdmissionRequest): Promise<AdmissionDecision[]> {
  return Promise.all(Array.from({ length: count }, () => admit(build())))
}

export function countAdmitted(decisions: readonly AdmissionDecision[]): number {
  return decisions.filter(decision => decision.admitted).length
}
