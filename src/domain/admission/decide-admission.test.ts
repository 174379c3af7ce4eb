import { describe, expect, it } from 'vitest'
import {
  admissionTestNow as now,
  admissionRequest as request,
  admissionState as state,
} from '../../../test/support/admission-builders.ts'
import { decideAdmission } from './decide-admission.ts'
import type { Admission, AdmissionDecision, Refusal } from './types.ts'

function admitted(decision: AdmissionDecision): Admission {
  if (!decision.admitted) throw new Error(`refused: ${decision.reason}`)
  return decision
}

function refused(decision: AdmissionDecision): Refusal {
  if (decision.admitted) throw new Error('admitted')
  return decision
}

const empty = { level: 0, atMs: now }

describe('the hold', () => {
  it('is the fixed part and every choice at its whole output limit, rounded up once', () => {
    const decision = admitted(
      decideAdmission(state(), request({ choices: 3, outputLimit: 7, outputNanoPerMillion: 1n })),
    )
    expect(decision.holdNano).toBe(100_001n)
    expect(admitted(decideAdmission(state(), request())).holdNano).toBe(1_100_000n)
  })

  it('is nothing for a free model, which is open to an empty or indebted account', () => {
    const decision = decideAdmission(state({ balanceNano: -5n, key: { limitNano: 0n } }), request({ free: true }))
    expect(admitted(decision).holdNano).toBe(0n)
  })
})

describe('rights', () => {
  it('refuse a revoked key, whatever the clock says', () => {
    const decision = refused(decideAdmission(state({ key: { revokedAtMs: now + 5_000 } }), request()))
    expect(decision).toMatchObject({ reason: 'invalid_api_key', rates: null })
  })

  it('end with the very millisecond of the expiry', () => {
    const expiring = (expiresAtMs: number) => decideAdmission(state({ key: { expiresAtMs } }), request())
    expect(refused(expiring(now)).reason).toBe('invalid_api_key')
    expect(expiring(now + 1).admitted).toBe(true)
  })
})

describe('rates', () => {
  it('take one request and the upper bound of tokens from the buckets of the model', () => {
    const decision = admitted(decideAdmission(state(), request({ choices: 2 })))
    expect(decision.modelRequests).toEqual({ level: 59, atMs: now })
    expect(decision.modelTokens).toEqual({ level: 97_900, atMs: now })
    expect(decision.tokensTaken).toBe(2_100)
    expect(decision.keyRequests).toBeNull()
    expect(decision.keyTokens).toBeNull()
  })

  it('show what is left after the request', () => {
    expect(admitted(decideAdmission(state(), request())).rates).toEqual({
      limitRequests: 60,
      remainingRequests: 59,
      resetRequestsMs: 1_000,
      limitTokens: 100_000,
      remainingTokens: 98_900,
      resetTokensMs: 660,
    })
  })

  it('show the bucket that stops the caller first: the key’s where it is tighter', () => {
    const rates = { requestsPerMinute: 10, tokensPerMinute: 'unlimited', requestsPerDay: 'unlimited' } as const
    const decision = admitted(decideAdmission(state({ key: { rates } }), request()))
    expect(decision.rates).toMatchObject({ limitRequests: 10, remainingRequests: 9, limitTokens: 100_000 })
    expect(decision.keyRequests?.level).toBe(9)
  })

  it('say nothing where there is no limit, and keep no bucket', () => {
    const modelRates = {
      requestsPerMinute: 'unlimited',
      tokensPerMinute: 'unlimited',
      requestsPerDay: 'unlimited',
    } as const
    const decision = admitted(decideAdmission(state(), request({ modelRates })))
    expect(decision.rates).toMatchObject({ limitRequests: 'unlimited', limitTokens: 'unlimited' })
    expect([decision.modelRequests, decision.modelTokens]).toEqual([null, null])
  })

  it('refuse requests before tokens and the account before the key, with the wait until one fits', () => {
    const rates = { requestsPerMinute: 30, tokensPerMinute: 60_000, requestsPerDay: 'unlimited' } as const
    const short = { modelRequests: empty, modelTokens: empty, key: { rates, requests: empty, tokens: empty } }
    const requests = refused(decideAdmission(state(short), request()))
    expect(requests).toMatchObject({ reason: 'rate_limit_requests', limit: 60, retryAfterMs: 1_000 })
    const tokens = refused(decideAdmission(state({ ...short, modelRequests: null }), request({ outputLimit: 9_900 })))
    expect(tokens).toMatchObject({ reason: 'rate_limit_tokens', limit: 100_000, retryAfterMs: 6_000 })
    const keyOnly = { ...short, modelRequests: null, modelTokens: null }
    expect(refused(decideAdmission(state(keyOnly), request()))).toMatchObject({ limit: 30, retryAfterMs: 2_000 })
    const keyTokens = state({ key: { rates, tokens: empty } })
    expect(refused(decideAdmission(keyTokens, request({ outputLimit: 2_900 })))).toMatchObject({
      reason: 'rate_limit_tokens',
      limit: 60_000,
      retryAfterMs: 3_000,
    })
  })

  it('show what stands untouched when the request is refused', () => {
    const { rates } = refused(decideAdmission(state({ balanceNano: 0n }), request()))
    expect(rates).toMatchObject({ remainingRequests: 60, resetRequestsMs: 0, remainingTokens: 100_000 })
  })

  it('let one request that is larger than the bucket pass a full bucket, and no second one', () => {
    const huge = request({ outputLimit: 250_000 })
    const first = admitted(decideAdmission(state(), huge))
    expect(first.modelTokens?.level).toBe(0)
    const second = refused(decideAdmission(state({ modelTokens: first.modelTokens }), huge))
    expect(second).toMatchObject({ reason: 'rate_limit_tokens', retryAfterMs: 60_000 })
  })

  it('treat a limit of 0 as zero, for requests and for tokens', () => {
    const none = { requestsPerMinute: 0, tokensPerMinute: 100_000, requestsPerDay: 'unlimited' } as const
    const decision = refused(decideAdmission(state(), request({ modelRates: none })))
    expect(decision).toMatchObject({ reason: 'rate_limit_requests', limit: 0, retryAfterMs: 60_000 })
    const noTokens = request({
      modelRates: { requestsPerMinute: 60, tokensPerMinute: 0, requestsPerDay: 'unlimited' },
      promptTokensBound: 0,
    })
    expect(refused(decideAdmission(state(), noTokens)).reason).toBe('rate_limit_tokens')
  })

  it('hold for free models too', () => {
    expect(refused(decideAdmission(state({ modelRequests: empty }), request({ free: true }))).reason).toBe(
      'rate_limit_requests',
    )
  })
})

describe('concurrency', () => {
  it('is bounded for the account and for the key, and asks to try again in a second', () => {
    const account = refused(decideAdmission(state({ openHolds: 50 }), request()))
    expect(account).toMatchObject({ reason: 'concurrency_account', limit: 50, retryAfterMs: 1_000 })
    const key = refused(decideAdmission(state({ key: { openHolds: 2, concurrency: 2 } }), request()))
    expect(key).toMatchObject({ reason: 'concurrency_key', limit: 2, retryAfterMs: 1_000 })
  })

  it('of 0 admits nothing, and of “unlimited” everything', () => {
    expect(refused(decideAdmission(state(), request({ accountConcurrency: 0 }))).reason).toBe('concurrency_account')
    expect(decideAdmission(state({ openHolds: 1e6 }), request({ accountConcurrency: 'unlimited' })).admitted).toBe(true)
  })
})

describe('money of a soft account', () => {
  it('is enough while something is available and the hold stays within the overdraft', () => {
    const atEdge = state({ balanceNano: 1n })
    expect(decideAdmission(atEdge, request({ overdraftNano: 1_099_999n })).admitted).toBe(true)
    expect(refused(decideAdmission(atEdge, request({ overdraftNano: 1_099_998n })))).toMatchObject({
      reason: 'insufficient_balance',
      neededNano: 1_100_000n,
      availableNano: 1n,
    })
  })

  it('is not enough once nothing is available, however small the hold', () => {
    expect(decideAdmission(state({ balanceNano: 10n, heldNano: 10n }), request()).admitted).toBe(false)
  })
})

describe('money of a strict account', () => {
  it('must cover the whole hold, whatever overdraft is configured', () => {
    const strict = (balanceNano: bigint) => decideAdmission(state({ mode: 'strict', balanceNano }), request())
    expect(strict(1_100_000n).admitted).toBe(true)
    expect(refused(strict(1_099_999n)).reason).toBe('insufficient_balance')
  })
})

describe('the spending limit of a key', () => {
  it('counts what was spent and what is held', () => {
    const key = { limitNano: 3_000_000n, spentNano: 1_000_000n, heldNano: 900_000n }
    const strict = (limitNano: bigint) =>
      decideAdmission(state({ mode: 'strict', key: { ...key, limitNano } }), request())
    expect(strict(3_000_000n).admitted).toBe(true)
    expect(refused(strict(2_999_999n))).toMatchObject({
      reason: 'key_limit_exceeded',
      neededNano: 1_100_000n,
      availableNano: 1_099_999n,
    })
  })

  it('follows the soft rule on a soft account: something must be left, the hold may exceed it by the overdraft', () => {
    const limited = (spentNano: bigint) => decideAdmission(state({ key: { limitNano: 1_000n, spentNano } }), request())
    expect(limited(999n).admitted).toBe(true)
    expect(refused(limited(1_000n)).reason).toBe('key_limit_exceeded')
  })

  it('of 0 admits nothing that costs', () => {
    expect(refused(decideAdmission(state({ key: { limitNano: 0n } }), request())).reason).toBe('key_limit_exceeded')
  })

  it.each([
    ['epoch', Date.UTC(2026, 10, 28), Date.UTC(2026, 10, 29)],
    ['month', Date.UTC(2026, 9, 1), Date.UTC(2026, 10, 1)],
  ] as const)('starts again with the UTC %s', (period, before, start) => {
    const spent = { limitNano: 5_000_000n, spentNano: 5_000_000n, period }
    const inOld = admitted(decideAdmission(state({ key: { ...spent, periodStartMs: before } }), request()))
    expect(inOld).toMatchObject({ keyPeriodStartMs: start, keySpentNano: 0n })
    const inNew = decideAdmission(state({ key: { ...spent, periodStartMs: start } }), request())
    expect(refused(inNew).reason).toBe('key_limit_exceeded')
  })

  it('never starts again for a lifetime, nor when the clock goes back', () => {
    const spent = { limitNano: 5_000_000n, spentNano: 5_000_000n }
    expect(decideAdmission(state({ key: { ...spent, period: 'lifetime' } }), request()).admitted).toBe(false)
    const tomorrow = Date.UTC(2026, 10, 30)
    const back = state({ key: { ...spent, period: 'epoch', periodStartMs: tomorrow } })
    expect(decideAdmission(back, request()).admitted).toBe(false)
  })
})

describe('an output limit that the caller did not set', () => {
  const open = request({ outputLimitMayShrink: true, overdraftNano: 0n })

  it('is lowered to what the balance pays for, and the hold and the token rate with it', () => {
    const decision = admitted(decideAdmission(state({ balanceNano: 600_000n }), open))
    expect(decision).toMatchObject({ outputLimit: 500, holdNano: 600_000n, tokensTaken: 600 })
    const both = admitted(decideAdmission(state({ balanceNano: 600_000n }), { ...open, choices: 2 }))
    expect(both).toMatchObject({ outputLimit: 250, holdNano: 600_000n, tokensTaken: 600 })
  })

  it('is lowered to what the key’s limit pays for', () => {
    const decision = admitted(decideAdmission(state({ key: { limitNano: 300_999n } }), open))
    expect(decision).toMatchObject({ outputLimit: 200, holdNano: 300_000n })
  })

  it('is not lowered below 16 tokens: such a request is refused with what it may cost', () => {
    expect(admitted(decideAdmission(state({ balanceNano: 116_000n }), open)).outputLimit).toBe(16)
    expect(refused(decideAdmission(state({ balanceNano: 115_999n }), open)).neededNano).toBe(1_100_000n)
  })

  it('is never raised, and never lowered where the caller set it', () => {
    expect(admitted(decideAdmission(state(), open)).outputLimit).toBe(1_000)
    const set = { ...open, outputLimitMayShrink: false }
    expect(decideAdmission(state({ balanceNano: 600_000n }), set).admitted).toBe(false)
  })

  it('is kept where output costs nothing', () => {
    const decision = decideAdmission(state({ balanceNano: 100_000n }), { ...open, outputNanoPerMillion: 0n })
    expect(admitted(decision)).toMatchObject({ outputLimit: 1_000, holdNano: 100_000n })
  })
})

it('judges rights, rates, concurrency and money in this order', () => {
  const broke = { balanceNano: 0n, openHolds: 50, modelRequests: empty, key: { revokedAtMs: 1 } }
  const reasons = [
    broke,
    { ...broke, key: {} },
    { ...broke, key: {}, modelRequests: null },
    { ...broke, key: {}, modelRequests: null, openHolds: 0 },
  ].map(change => refused(decideAdmission(state(change), request())).reason)
  expect(reasons).toEqual(['invalid_api_key', 'rate_limit_requests', 'concurrency_account', 'insufficient_balance'])
})
