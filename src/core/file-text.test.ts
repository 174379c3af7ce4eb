import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileFrameBytesMax, fileText, unreadableFileText } from './file-text.ts'

const name = fc.option(
  fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.string({ unit: 'grapheme', maxLength: 80 })),
)

it('no name makes what stands around a text longer than its bound', () => {
  fc.assert(
    fc.property(name, fc.string({ unit: 'grapheme' }), (called, text) => {
      const around = Buffer.byteLength(fileText(called, text)) - Buffer.byteLength(text)
      expect(around).toBeLessThanOrEqual(fileFrameBytesMax)
      expect(Buffer.byteLength(unreadableFileText(called, ''))).toBeLessThanOrEqual(fileFrameBytesMax)
    }),
    { numRuns: 1_000 },
  )
})

it.each(['長'.repeat(64), '長'.repeat(65), '\ufffd'.repeat(200), `${'長'.repeat(63)}😀`])(
  'the longest names stay within it: %s',
  called => {
    const around = Buffer.byteLength(fileText(called, ''))
    expect(around).toBeLessThanOrEqual(fileFrameBytesMax)
    expect(around).toBeGreaterThan(fileFrameBytesMax - 16)
  },
)
