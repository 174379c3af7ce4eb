import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { IdempotencyStart } from '../../src/domain/idempotency/types.ts'
import { buildRequest, buildSettlement, nowMs, random, usd } from './builders.ts'
import { addCustomer, type OpenStorage } from './open-test-storage.ts'

const day = 86_400_000

export function idempotencySuite(open: OpenStorage): void {
  function start(change: Partial<IdempotencyStart> = {}): IdempotencyStart {
    return {
      accountId: `acc_${random.hex(12)}`,
      route: '/v1/chat/completions',
      key: `key-${random.hex(6)}`,
      fingerprint: createHash('sha256').update('body').digest(),
      requestId: `req_${random.hex(12)}`,
      holdId: `hold_${random.hex(12)}`,
      processId: 'proc_test',
      nowMs,
      keysMax: 10,
      ...change,
    }
  }
  const answer = { status: 200, contentType: 'application/json', body: Buffer.from('{"an":"answer"}') }

  describe('idempotency: who owns a key, and what was answered', () => {
    it('lets one of many parallel claims run', async () => {
      const { idempotency } = await open()
      const claim = start()
      const claims = await Promise.all(Array.from({ length: 50 }, () => idempotency.claim(claim)))
      expect(claims.filter(({ state }) => state === 'new')).toHaveLength(1)
      expect(claims.filter(({ state }) => state === 'running')).toHaveLength(49)
    })

    it('gives the first answer again, byte for byte', async () => {
      const { idempotency } = await open()
      const claim = start()
      await idempotency.claim(claim)
      const body = random.bytes(100_000)
      await idempotency.complete(claim, { ...answer, body }, nowMs + day)
      const again = await idempotency.claim({ ...claim, requestId: 'req_other' })
      expect(again).toEqual({ state: 'done', requestId: claim.requestId, answer: { ...answer, body } })
    })

    it('refuses another body under the same key, while it runs and after', async () => {
      const { idempotency } = await open()
      const claim = start()
      const other = { ...claim, fingerprint: createHash('sha256').update('another').digest() }
      await idempotency.claim(claim)
      expect(await idempotency.claim(other)).toEqual({ state: 'reused' })
      await idempotency.complete(claim, answer, nowMs + day)
      expect(await idempotency.claim(other)).toEqual({ state: 'reused' })
    })

    it('keeps keys apart by account and route', async () => {
      const { idempotency } = await open()
      const claim = start()
      await idempotency.claim(claim)
      expect(await idempotency.claim({ ...claim, route: '/v1/other' })).toEqual({ state: 'new' })
      expect(await idempotency.claim({ ...claim, accountId: 'acc_other' })).toEqual({ state: 'new' })
    })

    it('frees a key whose request charged nothing, but none that is done', async () => {
      const { idempotency } = await open()
      const claim = start()
      await idempotency.claim(claim)
      await idempotency.free(claim)
      expect(await idempotency.claim(claim)).toEqual({ state: 'new' })
      await idempotency.complete(claim, null, nowMs + day)
      await idempotency.free(claim)
      expect(await idempotency.claim(claim)).toEqual({ state: 'done', requestId: claim.requestId, answer: null })
    })

    it('lets only the run that claimed a key end it', async () => {
      const { idempotency } = await open()
      const claim = start()
      const believedDead = { ...claim, holdId: `hold_${random.hex(12)}` }
      await idempotency.claim(claim)
      await idempotency.free(believedDead)
      await idempotency.complete(believedDead, answer, nowMs + day)
      expect(await idempotency.claim(claim)).toEqual({ state: 'running' })
    })

    it('forgets a key when its time is over', async () => {
      const { idempotency } = await open()
      const claim = start()
      await idempotency.claim(claim)
      await idempotency.complete(claim, answer, nowMs + day)
      expect(await idempotency.claim({ ...claim, nowMs: nowMs + day - 1 })).toMatchObject({ state: 'done' })
      expect(await idempotency.claim({ ...claim, nowMs: nowMs + day })).toEqual({ state: 'new' })
    })

    it('bounds the keys of an account, expired ones not counted', async () => {
      const { idempotency } = await open()
      const { accountId } = start()
      for (let count = 0; count < 3; count++) {
        const claim = start({ accountId, keysMax: 3 })
        expect(await idempotency.claim(claim)).toEqual({ state: 'new' })
        if (count === 0) await idempotency.complete(claim, answer, nowMs + 5)
      }
      expect(await idempotency.claim(start({ accountId, keysMax: 3 }))).toEqual({ state: 'full' })
      expect(await idempotency.claim(start({ accountId, keysMax: 3, nowMs: nowMs + 6 }))).toEqual({ state: 'new' })
    })

    it('prunes what expired, a bounded number at a time', async () => {
      const { idempotency } = await open()
      const claims = [start(), start(), start()]
      for (const claim of claims) {
        await idempotency.claim(claim)
        await idempotency.complete(claim, answer, 5)
      }
      expect(await idempotency.prune(6, 2)).toBe(2)
      expect(await idempotency.prune(6, 2)).toBe(1)
      expect(await idempotency.prune(6, 2)).toBe(0)
    })

    it.each([
      ['all processes but this one', 'recover', 'proc_test'],
      ['one process', 'recoverFrom', 'proc_gone'],
    ] as const)(
      'after a crash of %s, ends the keys of charged requests and frees the others',
      async (_, method, processId) => {
        const { idempotency, admission, ledger, identity } = await open()
        const { account, key } = await addCustomer({ identity, ledger }, { balanceNano: 100n * usd })
        const gone = { processId: 'proc_gone' }
        const [charged, released, never, mine] = [0, 1, 2, 3].map(index => {
          const request = buildRequest(key, gone)
          const claim = start({ accountId: account.id, holdId: request.holdId, requestId: request.requestId, ...gone })
          return { request, claim: index === 3 ? { ...claim, processId: 'proc_test' } : claim }
        }) as [Run, Run, Run, Run]
        for (const { claim } of [charged, released, never, mine]) await idempotency.claim(claim)
        await admission.admit(charged.request)
        await admission.admit(released.request)
        await ledger.settle(buildSettlement(charged.request, 5n))
        await ledger[method](processId, nowMs)
        await idempotency[method](processId, nowMs + day)
        expect(await idempotency.claim(charged.claim)).toEqual({
          state: 'done',
          requestId: charged.request.requestId,
          answer: null,
        })
        expect(await idempotency.claim(released.claim)).toEqual({ state: 'new' })
        expect(await idempotency.claim(never.claim)).toEqual({ state: 'new' })
        expect(await idempotency.claim(mine.claim)).toEqual({ state: 'running' })
      },
    )
  })
}

interface Run {
  readonly request: ReturnType<typeof buildRequest>
  readonly claim: IdempotencyStart
}
