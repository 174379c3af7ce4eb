import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundMessage } from './bound-message.ts'

const withoutCode = (text: string) => text.replace(/```[\s\S]*?(?:```|$)/g, ' ')

test('a message of sixteen thousand characters stays as it is, and of a longer one its beginning and its end stay', () => {
  expect(boundMessage('x '.repeat(8_000))).toBe('x '.repeat(8_000))
  const bounded = boundMessage(`Dear model, ${'some text. '.repeat(50_000)} What is new?`)
  expect(bounded.length).toBeLessThanOrEqual(16_005)
  expect(bounded).toMatch(/^Dear model, some.* What is new\?$/s)
  expect(boundMessage(bounded)).toBe(bounded)
})

test('no part of a word stands where it was cut', () => {
  const key = 'key-0123456789abcdef'
  for (let shift = 0; shift < 40; shift++) {
    const bounded = boundMessage(`${'.'.repeat(shift)} ${`${key} `.repeat(5_000)}${'.'.repeat(shift)}`)
    for (const word of bounded.split(/\s+/)) expect(word === key || /^\.*$/.test(word)).toBe(true)
  }
})

test('code stays code and text stays text, wherever it is cut', () => {
  const block = fc.record({ isCode: fc.boolean(), words: fc.integer({ min: 1, max: 3_000 }) })
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 12 }), blocks => {
      const text = blocks
        .map(({ isCode, words }) =>
          isCode ? `\n\`\`\`\n${'secret '.repeat(words)}\n\`\`\`\n` : 'spoken '.repeat(words),
        )
        .join(' ')
      const bounded = boundMessage(`${text} asked`)
      expect(withoutCode(bounded)).not.toContain('secret')
      expect(withoutCode(bounded).endsWith('asked')).toBe(true)
      expect(bounded.length).toBeLessThanOrEqual(16_005)
    }),
    { numRuns: 300 },
  )
})
