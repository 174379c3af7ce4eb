import { expect, test } from 'vitest'
import { exactJson } from './exact-json.ts'

test('amounts are literals that no floating-point number could hold', () => {
  expect(exactJson({ usd: 12_345_678_901_234_567_891n, list: [-1n, 0n] })).toBe(
    '{"usd":12345678901.234567891,"list":[-0.000000001,0]}',
  )
})

test('everything else is as JSON has it', () => {
  const value = { a: [null, true, 1.5, 'x"\n'], __proto__: 'own', b: {} }
  expect(exactJson(value)).toBe(JSON.stringify(value))
})
