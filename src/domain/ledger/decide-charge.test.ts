import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChargeLine } from '../../core/price.ts'
import { decideCharge } from './decide-charge.ts'

const lines: readonly ChargeLine[] = [
  { kind: 'input', quantity: 10, amountNano: 30n },
  { kind: 'output', quantity: 5, amountNano: 70n },
]
const paid = { chargeNano: 100n, lines, writeoffNano: 0n, freeFailure: null }
const failed = (allowancePerHour: number) => ({
  chargeNano: 0n,
  lines: [],
  writeoffNano: 100n,
  freeFailure: { allowancePerHour, chargeNano: 100n, lines },
})

describe('what a settlement takes', () => {
  it('is the charge with its lines when the hold covers it', () => {
    expect(decideCharge(paid, { heldNano: 100n, freeFailuresInHour: 0 })).toEqual({
      chargedNano: 100n,
      lines,
      writeoffNano: 0n,
      usedFreeFailure: false,
    })
  })

  it('is never more than the hold: the rest is written off and the lines add up to what was taken', () => {
    expect(decideCharge(paid, { heldNano: 45n, freeFailuresInHour: 0 })).toEqual({
      chargedNano: 45n,
      lines: [lines[0], { kind: 'output', quantity: 5, amountNano: 15n }],
      writeoffNano: 55n,
      usedFreeFailure: false,
    })
  })

  it('is nothing for a free failure within the allowance of the hour, and what was given away is written off', () => {
    expect(decideCharge(failed(20), { heldNano: 200n, freeFailuresInHour: 19 })).toEqual({
      chargedNano: 0n,
      lines: [],
      writeoffNano: 100n,
      usedFreeFailure: true,
    })
  })

  it('is what was delivered once the allowance is used up, and at once where the allowance is 0', () => {
    const charged = { chargedNano: 100n, lines, writeoffNano: 0n, usedFreeFailure: false }
    expect(decideCharge(failed(20), { heldNano: 200n, freeFailuresInHour: 20 })).toEqual(charged)
    expect(decideCharge(failed(0), { heldNano: 200n, freeFailuresInHour: 0 })).toEqual(charged)
  })

  it('adds up, for any lines and any hold', () => {
    const line = fc.record({
      kind: fc.constantFrom('input', 'cache_read', 'output'),
      quantity: fc.nat(),
      amountNano: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), fc.bigInt({ min: 0n, max: 10n ** 12n }), (any, heldNano) => {
        const chargeNano = any.reduce((sum, { amountNano }) => sum + amountNano, 0n)
        const settlement = { chargeNano, lines: any, writeoffNano: 0n, freeFailure: null }
        const decision = decideCharge(settlement, { heldNano, freeFailuresInHour: 0 })
        expect(decision.chargedNano <= heldNano).toBe(true)
        expect(decision.chargedNano + decision.writeoffNano).toBe(chargeNano)
        expect(decision.lines.reduce((sum, { amountNano }) => sum + amountNano, 0n)).toBe(decision.chargedNano)
        expect(decision.lines.every(({ amountNano }) => amountNano > 0n)).toBe(true)
      }),
    )
  })
})
