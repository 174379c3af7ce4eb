import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonObjectText } from '../../test/support/json-text.ts'
import { JsonError, type JsonValue } from './json.ts'
import { findDuplicateKey, scanObject } from './json-scan.ts'

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

function faultOf(scan: () => unknown): string {
  try {
    scan()
  } catch (error) {
    if (error instanceof JsonError) return error.reason
    throw error
  }
  throw new Error('expected a JsonError')
}

describe('scanObject', () => {
  it('finds every top-level member, its name and the exact bytes of its value', () => {
    fc.assert(
      fc.property(jsonObjectText, text => {
        const bytes = Buffer.from(text)
        const { members, end } = scanObject(bytes)
        const slice = (from: number, to: number): string => bytes.toString('utf8', from, to)
        const rebuilt = members.map(member => {
          expect(JSON.parse(slice(member.keyStart, member.keyEnd))).toBe(member.key)
          expect(member.escapedKey).toBe(slice(member.keyStart, member.keyEnd).includes('\\'))
          const value = slice(member.valueStart, member.valueEnd)
          expect(value).toBe(value.trim())
          return `${slice(member.keyStart, member.keyEnd)}:${value}`
        })
        expect(JSON.parse(`{${rebuilt.join(',')}}`)).toEqual(JSON.parse(text))
        expect(Object.keys(JSON.parse(text))).toHaveLength(new Set(members.map(member => member.key)).size)
        expect(slice(end, bytes.length).trim()).toBe('')
      }),
      { numRuns: 300 },
    )
  })

  it('measures the depth of an object without duplicate names', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), object => {
        const text = JSON.stringify(object)
        expect(scanObject(Buffer.from(text)).depth).toBe(depthOf(JSON.parse(text)))
      }),
    )
  })

  it('scans an object that begins further in and leaves what follows alone', () => {
    const bytes = Buffer.from('{"x":1} {"y":2}{"z":3}')
    expect(scanObject(bytes, 7)).toEqual({
      members: [{ key: 'y', keyStart: 9, keyEnd: 12, valueStart: 13, valueEnd: 14, escapedKey: false }],
      depth: 1,
      end: 15,
    })
  })

  it('refuses an object that is too deep or too wide', () => {
    const nested = (levels: number): Buffer => Buffer.from(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`)
    expect(scanObject(nested(64)).depth).toBe(64)
    expect(faultOf(() => scanObject(nested(65)))).toBe('nested too deeply')
    expect(faultOf(() => scanObject(nested(3), 0, { depthMax: 2 }))).toBe('nested too deeply')
    expect(faultOf(() => scanObject(nested(2), 0, { depthMax: 0 }))).toBe('nested too deeply')
    expect(scanObject(Buffer.from(`{${'"a":1,'.repeat(9_999)}"a":1}`)).members).toHaveLength(10_000)
    expect(faultOf(() => scanObject(Buffer.from(`{${'"a":1,'.repeat(10_000)}"a":1}`)))).toBe('too many members')
  })

  it('refuses what is not an object', () => {
    for (const text of ['[]', '"a"', '1', 'null', '', '  ']) {
      expect(faultOf(() => scanObject(Buffer.from(text)))).toBe('not an object')
    }
  })

  it('ends on any bytes, with a result or a JsonError', () => {
    const structure = fc.array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', 'a', ' ', '\\u0061'), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(structure, pieces => {
        const bytes = Buffer.from(`{${pieces.join('')}`)
        try {
          expect(scanObject(bytes).end).toBeLessThanOrEqual(bytes.length)
        } catch (error) {
          expect(error).toBeInstanceOf(JsonError)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('skips long strings whatever they hold', () => {
    const texts = [
      'a'.repeat(5_000),
      '"'.repeat(5_000),
      '\\'.repeat(4_999),
      '\n'.repeat(3_000),
      `${'a'.repeat(100)}"`.repeat(40),
    ]
    for (const text of texts) {
      const bytes = Buffer.from(JSON.stringify({ text, deeper: [text, { text }], last: 1 }))
      expect(scanObject(bytes).members.map(member => member.key)).toEqual(['text', 'deeper', 'last'])
    }
  })
})

describe('findDuplicateKey', () => {
  const duplicateIn = (text: string): string | null => findDuplicateKey(scanObject(Buffer.from(text)).members)

  it('sees through escaped spellings', () => {
    expect(duplicateIn('{"model":1,"x":2,"mod\\u0065l":3}')).toBe('model')
    expect(duplicateIn('{"a/b":1,"a\\/b":2}')).toBe('a/b')
    expect(duplicateIn('{"":1,"":2}')).toBe('')
    expect(duplicateIn('{"__proto__":1,"__proto__":2}')).toBe('__proto__')
  })

  it('finds nothing in different names and looks no deeper', () => {
    expect(duplicateIn('{"model":{"a":1,"a":2},"Model":1,"model ":2}')).toBeNull()
    expect(duplicateIn('{}')).toBeNull()
  })

  it('finds a duplicate exactly when parsing loses a member', () => {
    fc.assert(
      fc.property(jsonObjectText, text => {
        const { members } = scanObject(Buffer.from(text))
        const lost = members.length > Object.keys(JSON.parse(text)).length
        expect(findDuplicateKey(members) !== null).toBe(lost)
      }),
    )
  })
})
