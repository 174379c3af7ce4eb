import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSeal } from './seal.ts'

const random = { bytes: (count: number) => randomBytes(count) }
const seal = createSeal(Buffer.alloc(32, 1), random)

it('opens what it closed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.string(), (content, context) => {
      expect(seal.open(seal.close(Buffer.from(content), context), context)).toEqual(Buffer.from(content))
    }),
  )
})

it('shows nothing of the content, and never the same twice', () => {
  const content = Buffer.from('a secret answer, long enough to be found')
  const [first, second] = [seal.close(content, 'c'), seal.close(content, 'c')]
  expect(first.includes('secret')).toBe(false)
  expect(first.equals(second)).toBe(false)
})

it('opens nothing in another context, with another secret, or after any bit changed', () => {
  const sealed = seal.close(Buffer.from('content'), 'here')
  expect(() => seal.open(sealed, 'there')).toThrow()
  expect(() => createSeal(Buffer.alloc(32, 2), random).open(sealed, 'here')).toThrow()
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    expect(() => seal.open(changed, 'here')).toThrow()
  }
  expect(() => seal.open(sealed.subarray(0, 20), 'here')).toThrow()
})
