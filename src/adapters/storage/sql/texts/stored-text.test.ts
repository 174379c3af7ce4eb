import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeHoldFacts, encodeHoldFacts } from './hold-facts.ts'
import { decodeChargeLines, decodeUsageDetails, encodeChargeLines, encodeUsageDetails } from './usage-details.ts'

const count = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const amount = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const textOrNull = fc.option(fc.string())

const details = fc.record({
  requestId: fc.string(),
  priceVersion: fc.string(),
  surface: fc.string(),
  engine: textOrNull,
  engineCompletionId: textOrNull,
  status: fc.integer({ min: 0, max: 599 }),
  stream: fc.boolean(),
  usage: fc.record({
    promptTokens: count,
    completionTokens: count,
    cachedTokens: count,
    cacheWriteTokens: count,
    reasoningTokens: count,
  }),
  usageSource: fc.constantFrom('engine' as const, 'estimated' as const),
  finishReason: textOrNull,
  attempts: fc.array(fc.record({ node: fc.string(), status: fc.oneof(count, fc.string()), ms: count })),
  firstByteMs: fc.option(count),
  totalMs: count,
})

const lines = fc.array(
  fc.record({
    kind: fc.constantFrom('input' as const, 'cache_read', 'cache_write', 'output', 'search', 'document', 'page'),
    quantity: count,
    amountNano: amount,
  }),
)

const facts = fc.record({
  requestId: fc.string(),
  generationId: fc.string(),
  model: fc.string(),
  surface: fc.string(),
  stream: fc.boolean(),
  priceVersion: fc.string(),
  processId: fc.string(),
  overdraftNano: amount,
  tokensTaken: count,
  tokensPerMinute: fc.oneof(count, fc.constant('unlimited' as const)),
  createdAtMs: count,
  deadlineAtMs: count,
})

describe('what is stored as text', () => {
  it('reads as it was written: details of a usage record', () => {
    fc.assert(
      fc.property(details, value => {
        expect(decodeUsageDetails(encodeUsageDetails(value))).toEqual(value)
      }),
    )
  })

  it('reads as it was written: charge lines', () => {
    fc.assert(
      fc.property(lines, value => {
        expect(decodeChargeLines(encodeChargeLines(value))).toEqual(value)
      }),
    )
  })

  it('reads as it was written: facts of a hold', () => {
    fc.assert(
      fc.property(facts, value => {
        expect(decodeHoldFacts(encodeHoldFacts(value))).toEqual(value)
      }),
    )
  })

  it.each(['[]', 'null', '{}', '{"surface":1}'])('is refused when it is damaged: %s', text => {
    expect(() => decodeUsageDetails(text)).toThrow(RangeError)
    expect(() => decodeHoldFacts(text)).toThrow(RangeError)
  })

  it.each(['{}', '[1]', '[["output"]]', '[["gift",1,"1"]]', '[["output",1,"-1"]]', '[["output","1","1"]]'])(
    'is refused when charge lines are damaged: %s',
    text => {
      expect(() => decodeChargeLines(text)).toThrow(RangeError)
    },
  )
})
