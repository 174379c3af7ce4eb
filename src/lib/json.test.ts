import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { damagedJsonText, jsonText } from '../../test/support/json-text.ts'
import { isJsonObject, JsonError, parseJson, parseJsonBytes } from './json.ts'

function faultOf(parse: () => unknown): JsonError {
  try {
    parse()
  } catch (error) {
    if (error instanceof JsonError) return error
    throw error
  }
  throw new Error('expected a JsonError')
}

describe('parseJson', () => {
  it('reads what JSON.parse reads, from text and from bytes', () => {
    fc.assert(
      fc.property(jsonText, text => {
        expect(parseJson(text)).toEqual(JSON.parse(text))
        expect(parseJsonBytes(Buffer.from(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('throws JsonError and nothing else, wherever JSON.parse throws', () => {
    fc.assert(
      fc.property(fc.oneof(damagedJsonText, fc.string()), text => {
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expect(faultOf(() => parseJson(text)).reason).not.toBe('invalid')
          return
        }
        expect(parseJson(text)).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })

  it('places a fault in UTF-16 units for text and in bytes for bytes', () => {
    expect(faultOf(() => parseJson('{"é😀":x}')).position).toBe(7)
    expect(faultOf(() => parseJsonBytes(Buffer.from('{"é😀":x}'))).position).toBe(10)
  })

  it('keeps the input out of its errors', () => {
    const error = faultOf(() => parseJson('{"key":"vk-secret" "other"}'))
    expect(JSON.stringify([error.message, error.stack, error])).not.toContain('secret')
    expect(error.cause).toBeUndefined()
    expect(error.message).toBe('unexpected character at position 19')
  })

  it('does not search a huge text for the place of its fault', () => {
    const error = faultOf(() => parseJson(`"${'a'.repeat(1_100_000)}" x`))
    expect([error.reason, error.position]).toEqual(['invalid', null])
  })

  it('keeps a member named __proto__ as data', () => {
    const value = parseJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true)
    expect({ ...(value as object) }).not.toHaveProperty('polluted')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('the bounds of parseJson', () => {
  it('allow 64 levels unless told otherwise', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
    expect(() => parseJson(nested(64))).not.toThrow()
    expect(faultOf(() => parseJson(nested(65))).reason).toBe('nested too deeply')
    expect(() => parseJson(nested(65), { depthMax: 65 })).not.toThrow()
    expect(faultOf(() => parseJson('[[1]]', { depthMax: 1 })).reason).toBe('nested too deeply')
    expect(faultOf(() => parseJson('{"a":1}', { depthMax: 0 })).reason).toBe('nested too deeply')
  })

  it('count objects, arrays and members, and nothing inside strings', () => {
    const text = '{"a":[{"b":"[{:\\"[{:"}]}'
    expect(() => parseJson(text, { nodesMax: 5 })).not.toThrow()
    expect(faultOf(() => parseJson(text, { nodesMax: 4 })).reason).toBe('too many members')
    expect(() => parseJson('[[], []]', { nodesMax: 3 })).not.toThrow()
    expect(faultOf(() => parseJson('[[], []]', { nodesMax: 2 })).reason).toBe('too many members')
  })

  it('refuse a flood of small arrays before one of them is built', () => {
    const flood = Buffer.from(`[${'[],'.repeat(1_000_000)}[]]`)
    expect(faultOf(() => parseJsonBytes(flood)).reason).toBe('too many members')
  })

  it.each(['1', '""', 'null', '1.5e-7'])('refuse a flood of %s, of which a million are still taken', value => {
    const list = (length: number) => Buffer.from(`[${`${value},`.repeat(length - 1)}${value}]`)
    expect(parseJsonBytes(list(1_000_001))).toHaveLength(1_000_001)
    expect(faultOf(() => parseJsonBytes(list(1_000_002))).reason).toBe('too many members')
  })

  it('bound the length when asked', () => {
    expect(() => parseJson('[1]', { lengthMax: 3 })).not.toThrow()
    expect(faultOf(() => parseJson('[10]', { lengthMax: 3 })).reason).toBe('too long')
    expect(faultOf(() => parseJsonBytes(Buffer.from('"é"'), { lengthMax: 3 })).reason).toBe('too long')
  })
})

describe('parseJsonBytes', () => {
  it('refuses bytes that are not UTF-8 instead of replacing them', () => {
    for (const bytes of [[0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0x80, 0x22], [0xff]]) {
      expect(faultOf(() => parseJsonBytes(Buffer.from(bytes))).reason).toBe('invalid UTF-8')
    }
  })

  it('refuses a byte order mark', () => {
    const error = faultOf(() => parseJsonBytes(Buffer.from('\uFEFF{}')))
    expect([error.reason, error.position]).toEqual(['byte order mark', 0])
  })
})

describe('isJsonObject', () => {
  it('holds for objects only', () => {
    expect([{}, { a: 1 }].map(isJsonObject)).toEqual([true, true])
    expect([null, [], 'a', 1, true, undefined].map(isJsonObject)).toEqual([false, false, false, false, false, false])
  })
})
