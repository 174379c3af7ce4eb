import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { repairUtf8 } from './repair-utf8.ts'

it('gives back what is valid, without a copy', () => {
  const bytes = Buffer.from('caf\u00e9 \u{1f600}')
  expect(repairUtf8(bytes)).toBe(bytes)
})

it('replaces what is not, and nothing else', () => {
  const broken = Buffer.from([0x61, 0x80, 0x62, 0xe2, 0x82, 0x63])
  expect(repairUtf8(broken).toString()).toBe('a\uFFFDb\uFFFDc')
})

it('always gives valid UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
      expect(isUtf8(repairUtf8(Buffer.from(bytes)))).toBe(true)
    }),
  )
})
