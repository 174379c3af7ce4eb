import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { damagedJsonText, jsonString, jsonText } from '../../test/support/json-text.ts'
import { JsonCursor } from './json-cursor.ts'

function read(bytes: Buffer, span = { start: 0, end: bytes.length }): JsonCursor {
  const cursor = new JsonCursor(bytes, span)
  cursor.skipValue()
  cursor.finish()
  return cursor
}

function isAccepted(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('JsonCursor', () => {
  it('accepts exactly what JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.oneof(jsonText, damagedJsonText, fc.string({ unit: 'binary' })), text => {
        const bytes = Buffer.from(text)
        expect(read(bytes).fault === null).toBe(isAccepted(bytes.toString('utf8')))
      }),
      { numRuns: 500 },
    )
  })

  it('reads the same inside other bytes as alone', () => {
    fc.assert(
      fc.property(jsonText, fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 }), (text, before, after) => {
        const start = Buffer.byteLength(before)
        const end = start + Buffer.byteLength(text)
        expect(read(Buffer.from(before + text + after), { start, end }).fault).toBeNull()
      }),
    )
  })

  it('never reads a text that is cut before its end', () => {
    fc.assert(
      fc.property(jsonString, fc.nat(), (text, seed) => {
        const bytes = Buffer.from(text)
        expect(read(bytes, { start: 0, end: seed % bytes.length }).fault).not.toBeNull()
      }),
    )
  })

  it('counts the code points of a string, each escape and each surrogate pair as one', () => {
    fc.assert(
      fc.property(jsonString, text => {
        const cursor = new JsonCursor(Buffer.from(text), { start: 0, end: Buffer.byteLength(text) })
        cursor.skipString()
        expect(cursor.characters).toBe([...(JSON.parse(text) as string)].length)
        expect(cursor.escaped).toBe(text.includes('\\'))
      }),
    )
  })

  it.each([
    ['{"a":1', 'unexpected end', 6],
    ['{"a" 1}', 'unexpected character', 5],
    ['{"a":1,}', 'unexpected character', 7],
    ['[1,]', 'unexpected character', 3],
    ['[01]', 'invalid number', 1],
    ['1.', 'invalid number', 0],
    ['-', 'invalid number', 0],
    ['1e+', 'invalid number', 0],
    ['"a\u0001"', 'control character in a string', 2],
    ['"\\x"', 'invalid escape in a string', 2],
    ['"\\u12g4"', 'invalid escape in a string', 3],
    ['nul', 'unexpected character', 0],
    ['1 2', 'unexpected character', 2],
    ['', 'unexpected end', 0],
    ['\uFEFF{}', 'unexpected character', 0],
  ])('names the fault of %j and its place', (text, fault, position) => {
    const cursor = read(Buffer.from(text))
    expect([cursor.fault, cursor.position]).toEqual([fault, position])
  })

  it('refuses bytes that are not UTF-8', () => {
    expect(read(Buffer.from([0x22, 0xff, 0x22])).fault).toBe('invalid UTF-8')
    expect(read(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])).fault).toBe('invalid UTF-8')
  })

  it('stops at the depth bound instead of using up the stack', () => {
    expect(read(Buffer.from('['.repeat(64) + ']'.repeat(64))).fault).toBeNull()
    expect(read(Buffer.from('['.repeat(65) + ']'.repeat(65))).fault).toBe('nested too deeply')
    expect(read(Buffer.from('{"a":'.repeat(1_000_000))).fault).toBe('nested too deeply')
  })
})
