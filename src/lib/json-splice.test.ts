import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonObjectText, jsonValueText } from '../../test/support/json-text.ts'
import { scanObject } from './json-scan.ts'
import { type JsonEdits, spliceJson } from './json-splice.ts'

const names = fc.constantFrom('a', 'b', 'model', 'usage', '', '__proto__', 'new', 'qu"ote')

const someEdits = fc
  .tuple(fc.array(fc.tuple(names, jsonValueText), { maxLength: 4 }), fc.array(names, { maxLength: 3 }))
  .map(([set, remove]) => ({
    set: new Map(set.map(([key, value]) => [key, Buffer.from(value)])),
    remove: new Set(remove),
  }))

function splice(text: string, edits: JsonEdits): string {
  const bytes = Buffer.from(text)
  return Buffer.concat(spliceJson(bytes, scanObject(bytes).members, edits)).toString()
}

function set(entries: Record<string, string>): ReadonlyMap<string, Buffer> {
  return new Map(Object.entries(entries).map(([key, value]) => [key, Buffer.from(value)]))
}

/** The edited object, as a list of names and spelled values, by the plainest means. */
function expectedMembers(text: string, edits: Required<JsonEdits>): [string, string][] {
  const bytes = Buffer.from(text)
  const kept = scanObject(bytes).members.filter(member => !edits.remove.has(member.key))
  const shown = kept.map((member): [string, string] => {
    const value = edits.set.get(member.key)?.toString() ?? bytes.toString('utf8', member.valueStart, member.valueEnd)
    return [member.key, value]
  })
  const appended = [...edits.set].filter(([key]) => !kept.some(member => member.key === key))
  return [...shown, ...appended.map(([key, value]): [string, string] => [key, value.toString()])]
}

describe('spliceJson', () => {
  it('gives the edited object and keeps the bytes of every other member, in order', () => {
    fc.assert(
      fc.property(jsonObjectText, someEdits, (text, edits) => {
        const result = Buffer.from(splice(text, edits))
        expect(() => JSON.parse(result.toString())).not.toThrow()
        const found = scanObject(result).members.map(({ key, valueStart, valueEnd }) => {
          return [key, result.toString('utf8', valueStart, valueEnd)]
        })
        expect(found).toEqual(expectedMembers(text, edits))
      }),
      { numRuns: 500 },
    )
  })

  it('leaves every byte alone when nothing is edited', () => {
    fc.assert(
      fc.property(jsonObjectText, text => {
        expect(splice(text, {})).toBe(text)
        expect(splice(text, { remove: new Set(['no such name']) })).toBe(text)
      }),
    )
  })

  it('keeps white space, order and number spelling around an edit', () => {
    const text = ' { "model" : "a" , "t" : 1e-2, "big":12345678901234567890 , "x":null }\n'
    expect(splice(text, { set: set({ model: '"b"' }) })).toBe(text.replace('"a"', '"b"'))
  })

  it.each([
    ['first', '{"a":1, "b":2,"c":3}', ['a'], '{"b":2,"c":3}'],
    ['middle', '{"a":1, "b":2,"c":3}', ['b'], '{"a":1, "c":3}'],
    ['last', '{"a":1, "b":2 ,"c":3 }', ['c'], '{"a":1, "b":2 }'],
    ['only', '{ "a":1 }', ['a'], '{  }'],
    ['first two', '{"a":1,"b":2,"c":3}', ['a', 'b'], '{"c":3}'],
    ['last two', '{"a":1,"b":2,"c":3}', ['b', 'c'], '{"a":1}'],
    ['outer two', '{"a":1,"b":2,"c":3}', ['a', 'c'], '{"b":2}'],
    ['every', '{"a":1,"b":2,"c":3}', ['a', 'b', 'c'], '{}'],
  ])('removes the %s with the right comma', (_which, text, remove, expected) => {
    expect(splice(text, { remove: new Set(remove) })).toBe(expected)
  })

  it('appends what is not there, to full, emptied and empty objects', () => {
    expect(splice('{"a":1 }', { set: set({ b: '2', c: '[3]' }) })).toBe('{"a":1,"b":2,"c":[3] }')
    expect(splice('{"a":1}', { set: set({ b: '2' }), remove: new Set(['a']) })).toBe('{"b":2}')
    expect(splice('{ }', { set: set({ b: '2', c: '3' }) })).toBe('{"b":2,"c":3 }')
    expect(splice('{"a":1}', { set: set({ a: '2' }), remove: new Set(['a']) })).toBe('{"a":2}')
  })

  it('edits every member of a name, however it is spelled', () => {
    expect(splice('{"model":1,"mod\\u0065l":2}', { set: set({ model: '3' }) })).toBe('{"model":3,"mod\\u0065l":3}')
    expect(splice('{"model":1,"x":0,"mod\\u0065l":2}', { remove: new Set(['model']) })).toBe('{"x":0}')
  })

  it('gives views of the original bytes, not copies', () => {
    const bytes = Buffer.from(`{"model":"a","messages":"${'x'.repeat(100_000)}"}`)
    const pieces = spliceJson(bytes, scanObject(bytes).members, { set: set({ model: '"b"' }) })
    expect(pieces).toHaveLength(3)
    expect(pieces[2]?.buffer).toBe(bytes.buffer)
  })
})
