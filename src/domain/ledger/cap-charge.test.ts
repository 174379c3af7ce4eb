import fc from 'fast-check'
import { expect, it } from 'vitest'
import { capCharge } from './cap-charge.ts'

const charges = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { maxLength: 5 }).map(amounts => ({
  lines: amounts.map(amountNano => ({ kind: 'input' as const, quantity: 1, amountNano })),
  totalNano: amounts.reduce((sum, amount) => sum + amount, 0n),
}))

it('never charges more than the hold, and what is cut is the excess to the nano-USD', () => {
  fc.assert(
    fc.property(charges, fc.bigInt({ min: 0n, max: 10n ** 12n }), (charge, hold) => {
      const capped = capCharge(charge, hold)
      expect(capped.charge.totalNano <= hold).toBe(true)
      expect(capped.charge.totalNano + capped.excessNano).toBe(charge.totalNano)
      expect(capped.charge.lines.reduce((sum, line) => sum + line.amountNano, 0n)).toBe(capped.charge.totalNano)
    }),
  )
})
