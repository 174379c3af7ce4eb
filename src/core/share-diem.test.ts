import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shareDiem } from './share-diem.ts'

it('an allowance pays the lines of a bill in their order, each of them at most once', () => {
  expect(shareDiem([3n, 0n, 5n], 0n)).toEqual([0n, 0n, 0n])
  expect(shareDiem([3n, 0n, 5n], 4n)).toEqual([3n, 0n, 1n])
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 9n })), fc.bigInt({ min: 0n, max: 40n }), (amounts, diemNano) => {
      const shares = shareDiem(amounts, diemNano)
      const [paid, all] = [shares, amounts].map(nano => nano.reduce((sum, one) => sum + one, 0n))
      expect(paid).toBe(diemNano < (all ?? 0n) ? diemNano : all)
      for (const [at, share] of shares.entries()) expect(share <= (amounts[at] ?? -1n)).toBe(true)
    }),
  )
})
