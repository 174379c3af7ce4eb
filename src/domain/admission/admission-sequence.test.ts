import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  admissionRequest,
  admissionState,
  admissionTestNow as start,
} from '../../../test/support/admission-builders.ts'
import { decideAdmission } from './decide-admission.ts'
import type { AdmissionDecision, AdmissionRequest, AdmissionState } from './types.ts'

/** Any request whose quantities a real one may have, cheap and dear. */
const anyRequest = fc.record({
  fixedNano: fc.bigInt({ min: 0n, max: 400_000_000n }),
  outputNanoPerMillion: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 100_000_000_000n })),
  choices: fc.integer({ min: 1, max: 8 }),
  outputLimit: fc.integer({ min: 1, max: 20_000 }),
  outputLimitMayShrink: fc.boolean(),
  promptTokensBound: fc.nat({ max: 200_000 }),
  free: fc.boolean(),
})

const anyState = fc.record({
  mode: fc.constantFrom('soft', 'strict'),
  balanceNano: fc.bigInt({ min: -1_000_000_000n, max: 3_000_000_000n }),
  limitNano: fc.option(fc.bigInt({ min: 0n, max: 2_000_000_000n })),
  requestsPerMinute: fc.oneof(fc.nat({ max: 30 }), fc.constant('unlimited' as const)),
  tokensPerMinute: fc.oneof(fc.nat({ max: 500_000 }), fc.constant('unlimited' as const)),
})

const overdraftNano = 500_000_000n

/** What the store does with a decision: writes all of an admission's changes, and nothing of a refusal. */
function apply(state: AdmissionState, decision: AdmissionDecision): AdmissionState {
  if (!decision.admitted) return state
  return {
    ...state,
    heldNano: state.heldNano + decision.holdNano,
    openHolds: state.openHolds + 1,
    modelRequests: decision.modelRequests,
    modelTokens: decision.modelTokens,
    modelDay: decision.modelDay,
    key: {
      ...state.key,
      heldNano: state.key.heldNano + decision.holdNano,
      openHolds: state.key.openHolds + 1,
      requests: decision.keyRequests,
      tokens: decision.keyTokens,
      periodStartMs: decision.keyPeriodStartMs,
      spentNano: decision.keySpentNano,
    },
  }
}

function opening(facts: typeof anyState extends fc.Arbitrary<infer Facts> ? Facts : never): AdmissionState {
  const { mode, balanceNano, limitNano, requestsPerMinute, tokensPerMinute } = facts
  return admissionState({
    mode,
    balanceNano,
    key: { limitNano, concurrency: 40, rates: { requestsPerMinute, tokensPerMinute, requestsPerDay: 'unlimited' } },
  })
}

function sequence(requests: readonly Partial<AdmissionRequest>[]): readonly AdmissionRequest[] {
  return requests.map((change, index) =>
    admissionRequest({ ...change, overdraftNano, nowMs: start + index * 250, accountConcurrency: 45 }),
  )
}

it('keeps the sum of all holds within balance plus overdraft, and within the key’s limit plus overdraft', () => {
  fc.assert(
    fc.property(anyState, fc.array(anyRequest, { maxLength: 60 }), (facts, requests) => {
      const overdraft = facts.mode === 'soft' ? overdraftNano : 0n
      let state = opening(facts)
      for (const request of sequence(requests)) {
        state = apply(state, decideAdmission(state, request))
        if (state.heldNano > 0n) expect(state.heldNano <= facts.balanceNano + overdraft).toBe(true)
        if (facts.limitNano !== null && state.heldNano > 0n)
          expect(state.heldNano <= facts.limitNano + overdraft).toBe(true)
        expect(state.openHolds).toBeLessThanOrEqual(40)
      }
    }),
    { numRuns: 300 },
  )
})

it('carries no change in a refusal, and tells the same request the same again', () => {
  const refusalMembers = [
    'admitted',
    'availableNano',
    'balances',
    'limit',
    'neededNano',
    'rates',
    'reason',
    'retryAfterMs',
  ]
  fc.assert(
    fc.property(anyState, fc.array(anyRequest, { minLength: 1, maxLength: 40 }), (facts, requests) => {
      let state = opening(facts)
      for (const request of sequence(requests)) {
        const decision = decideAdmission(state, request)
        const again = decideAdmission(state, request)
        expect(again).toEqual(decision)
        if (!decision.admitted) {
          expect(Object.keys(decision).sort()).toEqual(refusalMembers)
          const isRate = decision.reason.startsWith('rate_limit') || decision.reason.startsWith('concurrency')
          expect(decision.retryAfterMs).toBeGreaterThanOrEqual(isRate ? 1_000 : 0)
          expect(decision.retryAfterMs).toBeLessThanOrEqual(isRate ? 60_000 : 0)
        }
        state = apply(state, decision)
      }
    }),
    { numRuns: 200 },
  )
})

it('lowers an output limit to the largest that is admitted, never raises it, and refuses only what 16 tokens exceed too', () => {
  fc.assert(
    fc.property(anyState, anyRequest, (facts, change) => {
      const state = opening(facts)
      const open = { ...change, free: false, outputLimitMayShrink: true }
      const [request] = sequence([open])
      if (request === undefined) throw new Error('one request was asked for')
      const decision = decideAdmission(state, request)
      const isAdmittedAt = (outputLimit: number) =>
        decideAdmission(state, { ...request, outputLimit, outputLimitMayShrink: false }).admitted
      const isShortOfMoney = !decision.admitted && decision.neededNano > 0n
      if (isShortOfMoney) expect(isAdmittedAt(Math.min(16, request.outputLimit))).toBe(false)
      if (!decision.admitted) return
      expect(decision.outputLimit).toBeLessThanOrEqual(request.outputLimit)
      if (decision.outputLimit === request.outputLimit) return
      expect(decision.outputLimit).toBeGreaterThanOrEqual(16)
      expect(isAdmittedAt(decision.outputLimit)).toBe(true)
      expect(isAdmittedAt(decision.outputLimit + 1)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

it('admits exactly K requests on a strict account that has money for K', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), anyRequest, fc.nat({ max: 1_000 }), (count, change, rest) => {
      const cost = { ...change, free: false, outputLimitMayShrink: false, fixedNano: change.fixedNano + 1_001n }
      const request = admissionRequest({
        ...cost,
        modelRates: { requestsPerMinute: 'unlimited', tokensPerMinute: 'unlimited', requestsPerDay: 'unlimited' },
      })
      const rich = decideAdmission(admissionState({ mode: 'strict', balanceNano: 10n ** 15n }), request)
      if (!rich.admitted) throw new Error('the rich account must be admitted')
      let state = admissionState({ mode: 'strict', balanceNano: rich.holdNano * BigInt(count) + BigInt(rest) })
      let admitted = 0
      for (let attempt = 0; attempt < count + 5; attempt++) {
        const decision = decideAdmission(state, request)
        if (decision.admitted) admitted++
        state = apply(state, decision)
      }
      expect(admitted).toBe(count)
    }),
  )
})
