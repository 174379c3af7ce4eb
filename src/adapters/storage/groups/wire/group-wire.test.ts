import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Operation, OperationResult } from '../operations.ts'
import { decodeOperation, decodeResult, encodeOperation, encodeResult } from './group-wire.ts'

const count = fc.nat()
const amount = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const limit = fc.oneof(count, fc.constant('unlimited' as const))
const bucket = fc.option(fc.record({ level: fc.double({ noNaN: true }), atMs: count }))
const rates = fc.record({
  limitRequests: limit,
  remainingRequests: count,
  resetRequestsMs: count,
  limitTokens: limit,
  remainingTokens: count,
  resetTokensMs: count,
})
const lines = fc.array(
  fc.record({
    kind: fc.constantFrom('input' as const, 'output', 'search', 'document', 'page'),
    quantity: count,
    amountNano: amount,
  }),
  { maxLength: 5 },
)

const parts = fc.option(fc.record({ diemDay: count, diemNano: amount, earnedNano: amount, bundledNano: amount }))
const balances = fc.record({
  usdNano: amount,
  diemNano: amount,
  earnedNano: fc.oneof(amount, fc.constant(0n)),
  bundledNano: fc.constant(0n),
})

const request = fc.record({
  holdId: fc.string(),
  requestId: fc.string(),
  generationId: fc.string(),
  accountId: fc.string(),
  keyId: fc.string(),
  model: fc.string(),
  surface: fc.string(),
  stream: fc.boolean(),
  fixedNano: amount,
  outputNanoPerMillion: amount,
  choices: count,
  outputLimit: count,
  outputLimitMayShrink: fc.boolean(),
  promptTokensBound: count,
  free: fc.boolean(),
  priceVersion: fc.string(),
  overdraftNano: amount,
  spendsAllCurrencies: fc.boolean(),
  modelRates: fc.record({ requestsPerMinute: limit, tokensPerMinute: limit, requestsPerDay: limit }),
  accountConcurrency: limit,
  errorBudget: fc.option(fc.record({ user: fc.string(), failed: limit, unsupported: limit, windowMs: count })),
  processId: fc.string(),
  nowMs: count,
  deadlineMs: count,
})

const settlement = fc.record({
  holdId: fc.string(),
  chargeNano: amount,
  writeoffNano: amount,
  tokensUsed: count,
  atMs: count,
  record: fc.record({
    generationId: fc.string(),
    model: fc.string(),
    outcome: fc.constantFrom('done' as const, 'deadline'),
    costDelivered: fc.boolean(),
    createdAtMs: count,
    details: fc.string(),
    status: count,
    usage: fc.record({
      promptTokens: count,
      completionTokens: count,
      cachedTokens: count,
      cacheWriteTokens: count,
      reasoningTokens: count,
    }),
  }),
  freeFailure: fc.option(fc.record({ allowancePerHour: count, chargeNano: amount, lines })),
  lines,
})

const admission = fc.record({
  admitted: fc.constant(true as const),
  holdNano: amount,
  outputLimit: count,
  tokensTaken: count,
  modelRequests: bucket,
  modelTokens: bucket,
  modelDay: fc.option(fc.record({ day: fc.nat(), requests: fc.nat() })),
  keyDay: fc.option(fc.record({ day: fc.nat(), requests: fc.nat() })),
  keyRequests: bucket,
  keyTokens: bucket,
  keyPeriodStartMs: count,
  keySpentNano: amount,
  keySpentDiemNano: amount,
  parts,
  rates,
  balances,
})

const refusal = fc.record({
  admitted: fc.constant(false as const),
  reason: fc.constantFrom('invalid_api_key' as const, 'concurrency_key'),
  neededNano: amount,
  availableNano: amount,
  limit,
  retryAfterMs: count,
  rates: fc.option(rates),
  balances: fc.option(balances),
})

const settlementResult = fc.record({
  effect: fc.constantFrom('settled' as const, 'already', 'adjusted'),
  chargedNano: amount,
  paid: parts,
  lines,
})

/** As a message between threads does. */
function travel<T>(value: T): T {
  return structuredClone(value)
}

describe('between threads', () => {
  it.each([
    ['admission requests', request.map((value): Operation => ({ kind: 'admit', request: value }))],
    ['settlements', settlement.map((value): Operation => ({ kind: 'settle', settlement: value }))],
    ['other operations', fc.constant<Operation>({ kind: 'probe' })],
  ])('%s arrive as they were sent', (_, operations) => {
    fc.assert(
      fc.property(operations, operation => {
        expect(decodeOperation(travel(encodeOperation(operation)))).toEqual(operation)
      }),
    )
  })

  it.each([
    ['admit', fc.oneof(admission, refusal).map((value): OperationResult => ({ value }))],
    ['settle', settlementResult.map((value): OperationResult => ({ value }))],
    ['post', fc.constant<OperationResult>({ value: { transferId: 'x', repeated: true } })],
    ['admit', fc.constant<OperationResult>({ error: { name: 'StoreConflict', message: 'no' } })],
  ] as const)('results of %s arrive as they were sent', (kind, results) => {
    fc.assert(
      fc.property(results, result => {
        expect(decodeResult(travel(encodeResult(kind, result)))).toEqual(result)
      }),
    )
  })
})
