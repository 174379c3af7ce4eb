import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { PackedSettlement } from '../../groups/operations.ts'
import { decodeLine, encodeLine } from './journal-line.ts'

const count = fc.nat()
const amount = fc.bigInt({ min: 0n, max: 2n ** 62n })
const text = fc.string({ unit: 'grapheme' })
const lines = fc.array(
  fc.record({
    kind: fc.constantFrom('input' as const, 'output', 'search', 'document', 'page'),
    quantity: count,
    amountNano: amount,
  }),
  { maxLength: 5 },
)
const usage = fc.record({
  promptTokens: count,
  completionTokens: count,
  cachedTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: count,
})
const settlements: fc.Arbitrary<PackedSettlement> = fc.record({
  holdId: text,
  chargeNano: amount,
  lines,
  writeoffNano: amount,
  tokensUsed: count,
  freeFailure: fc.option(fc.record({ allowancePerHour: count, chargeNano: amount, lines })),
  record: fc.record({
    generationId: text,
    model: text,
    outcome: fc.constantFrom('done' as const, 'client_abort', 'upstream_fail', 'deadline', 'drained', 'refused'),
    status: count,
    usage,
    costDelivered: fc.boolean(),
    createdAtMs: count,
    details: text,
  }),
  atMs: count,
})

it('a settlement is read as it was written, from one line', () => {
  fc.assert(
    fc.property(settlements, settlement => {
      const line = encodeLine(settlement).toString()
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(decodeLine(line.slice(0, -1))).toEqual(settlement)
    }),
  )
})

it('a line that is short of anything, or was changed anywhere, is not read at all', () => {
  fc.assert(
    fc.property(settlements, fc.nat(), fc.constantFrom('0', 'x', ' ', '"'), (settlement, at, other) => {
      const line = encodeLine(settlement).toString().slice(0, -1)
      const place = at % line.length
      expect(decodeLine(line.slice(0, place))).toBeNull()
      if (line[place] !== other) expect(decodeLine(line.slice(0, place) + other + line.slice(place + 1))).toBeNull()
    }),
  )
})
