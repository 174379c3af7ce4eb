import fc from 'fast-check'
import { expect, it } from 'vitest'
import { damagedJsonText, jsonText } from '../../test/support/json-text.ts'
import { countCpuMs } from '../../test/support/lapse.ts'
import { JsonError, parseJsonBytes } from './json.ts'
import { cutLongStrings, longStringBytesMin, longStringsMax, type StringSpan } from './json-long-strings.ts'

const filler = 'QUJDRA+/'.repeat(longStringBytesMin / 8)

/** What a long string may hold at its beginning and its end: nothing, or something that keeps it from being cut out. */
const edge = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[ !#-[\]-~]{0,5}$/) },
  fc.constantFrom('\u0000', '\u0001', '\u001f', '\n', '\u007f', '\\n', '\\u0001', '\\', 'é', '😀'),
)
const longString = fc.tuple(edge, edge).map(([head, tail]) => `"${head}${filler}${tail}"`)
const anyName = fc.oneof(fc.constantFrom('"a"', '"__proto__"', '"\\u00010"', '"\\u0001"'), longString)
const anyValue = fc.oneof(jsonText, damagedJsonText, longString, longString, fc.constantFrom('"\\u00010"', '"\\u0001"'))
const space = fc.stringMatching(/^[ \n]{0,2}$/)
const document = fc.oneof(
  fc.array(fc.tuple(anyName, space, anyValue), { maxLength: 4 }).map(members => {
    return `{${members.map(([name, gap, value]) => `${name}${gap}:${gap}${value}`).join(',')}}`
  }),
  fc.array(anyValue, { maxLength: 4 }).map(values => `[[${values.join(',')}],"é"]`),
  longString,
)

/** What came of it: the value, with the order of its members, or nothing for what was refused. */
function outcome(parse: () => unknown): { readonly value: unknown; readonly spelled: string } | null {
  try {
    const value = parse()
    return { value, spelled: JSON.stringify(value) }
  } catch (error) {
    if (error instanceof JsonError || error instanceof SyntaxError) return null
    throw error
  }
}

it('with long strings anywhere, bytes are read as JSON.parse reads them, or refused where it refuses', () => {
  fc.assert(
    fc.property(document, fc.nat({ max: 5 }), (text, shift) => {
      // Words are looked at from an even address on, wherever the bytes begin.
      const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).subarray(shift)
      expect(outcome(() => parseJsonBytes(bytes))).toEqual(outcome(() => JSON.parse(text)))
    }),
    { numRuns: 150 },
  )
})

it('a control character is seen wherever it stands', () => {
  const length = longStringBytesMin + 32
  for (let place = 0; place < length; place += place < 40 || place > length - 40 ? 1 : 997) {
    const bytes = Buffer.from(`["${'a'.repeat(length)}"]`)
    bytes[2 + place] = place % 0x20
    expect(() => parseJsonBytes(bytes)).toThrow(JsonError)
    bytes[2 + place] = 0x20 + (place % 2)
    expect(() => parseJsonBytes(bytes)).not.toThrow()
  }
})

const spanOf = (text: string): StringSpan => ({ start: text.indexOf(`"${filler}`), end: text.lastIndexOf('"') + 1 })

it.each([
  ['a long string', `["a","${filler}"]`, 1],
  ['none that holds an escape', `["${filler}\\n"]`, 0],
  ['none that holds letters beyond ASCII', `["${filler}é"]`, 0],
  ['no name of a member', `{"${filler}" : 1, "b": {"c": 2}}`, 0],
  ['none beside a string that looks like a mark', `["\\u00010","${filler}"]`, 0],
])('what is cut out: %s', (_, text, cuts) => {
  const name = text.indexOf(`${filler}" :`)
  const span = name < 0 ? spanOf(text) : { start: name - 1, end: name + filler.length + 1 }
  const bytes = Buffer.from(text)
  const end = Buffer.byteLength(text.slice(0, span.end))
  expect(cutLongStrings(bytes, [{ start: span.start, end }]).strings).toHaveLength(cuts)
})

it('strings beyond those that are cut out are read with the rest', () => {
  const strings = new Array<string>(longStringsMax + 2).fill(filler)
  const value = parseJsonBytes(Buffer.from(JSON.stringify(strings))) as string[]
  expect(value.length).toBe(strings.length)
  expect(value.every(string => string === filler)).toBe(true)
})

it('a body of 32 MB whose most is one medium takes less of a processor than the parser alone', () => {
  const medium = Buffer.alloc(33_554_432, 'QUJDRA+/').toString('latin1')
  const body = Buffer.from(`{"messages":[{"content":[{"image_url":{"url":"data:image/png;base64,${medium}"}}]}]}`)
  const cpuMs = (read: () => unknown) => {
    const spentMs = countCpuMs()
    read()
    return spentMs()
  }
  const turns = Array.from({ length: 9 }, () => [
    cpuMs(() => parseJsonBytes(body)),
    cpuMs(() => JSON.parse(body.toString('latin1'))),
  ])
  const [ours, parsers] = [0, 1].map(column => Math.min(...turns.map(turn => turn[column] as number)))
  expect(ours).toBeLessThan(0.9 * (parsers as number))
})
