import fc from 'fast-check'
import { expect, it } from 'vitest'
import { damagedJsonText, jsonString, jsonText } from '../../test/support/json-text.ts'
import { JsonError, parseJsonBytes } from './json.ts'
import { longStringBytesMin, longStringsMax } from './json-long-strings.ts'
import { scanObject } from './json-scan.ts'
import { parseJsonSteps } from './json-steps.ts'
import type { Steps } from './turns.ts'

function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** What came of it: the value with the order of its members, or all that an error says. */
function outcome(parse: () => unknown): unknown {
  try {
    const value = parse()
    return { value, spelled: JSON.stringify(value) }
  } catch (error) {
    if (error instanceof JsonError) return [error.reason, error.position]
    throw error
  }
}

const filler = fc.constantFrom(
  'QUJDRA+/',
  'QUJDRA+\\/',
  '\\/',
  '\\\\',
  '\\"',
  '\\u00e9',
  '\\ud83d\\ude00',
  '\\ud83d',
  'é',
  '漢字',
  '😀',
  'a\\n\\u0041',
)
const inner = jsonString.map(text => text.slice(1, -1))
/** Strings that are long enough to be read in pieces, of all that strings may hold and some things that they may not. */
const longString = fc
  .tuple(filler, inner, filler, fc.oneof(inner, fc.constantFrom('\\', '\n', '\u0000', '\\u12', '\\x')))
  .map(([first, middle, second, end]) => {
    const half = longStringBytesMin / 2
    return `"${first.repeat(half / first.length + 1)}${middle}${second.repeat(half / second.length + 1)}${end}"`
  })
const value = fc.oneof(jsonText, damagedJsonText, longString, longString)
const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('"a"', '"b"', '"mod\\u0065l"', '"__proto__"', '"1"') },
  { weight: 1, arbitrary: longString },
)
const space = fc.stringMatching(/^[ \n]{0,2}$/)
const document = fc.oneof(
  fc.array(fc.tuple(name, space, value), { maxLength: 4 }).map(members => {
    return `{${members.map(([key, gap, spelled]) => `${key}${gap}:${gap}${spelled}`).join(',')}}`
  }),
  fc.array(value, { maxLength: 4 }).map(values => `[[${values.join(',')}],"é"]`),
  value,
)
const pieceBytes = fc.integer({ min: 1_000, max: 70_000 })

it('in steps, bytes are read as they are at once: the same value, or the same error', () => {
  fc.assert(
    fc.property(document, pieceBytes, (text, piece) => {
      const bytes = Buffer.from(text)
      const inSteps = outcome(() => atOnce(parseJsonSteps(bytes, {}, piece)).value)
      expect(inSteps).toEqual(outcome(() => parseJsonBytes(bytes)))
    }),
    { numRuns: 200 },
  )
})

it('short texts too, cut in pieces of any size', () => {
  const texts = fc.oneof(jsonText, damagedJsonText, fc.string())
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, piece) => {
      const bytes = Buffer.from(text)
      const inSteps = outcome(() => atOnce(parseJsonSteps(bytes, {}, piece)).value)
      expect(inSteps).toEqual(outcome(() => parseJsonBytes(bytes)))
    }),
    { numRuns: 1_000 },
  )
})

it('bytes that are no UTF-8, wherever they are cut', () => {
  const bytes = fc.array(fc.constantFrom(0x22, 0x61, 0xc3, 0xa9, 0xe6, 0xbc, 0xa2, 0xf0, 0x9f, 0x98, 0x80, 0xff, 0xef))
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 9 }), (list, piece) => {
      const text = Buffer.from([0x22, ...list, 0x22])
      const inSteps = outcome(() => atOnce(parseJsonSteps(text, {}, piece)).value)
      expect(inSteps).toEqual(outcome(() => parseJsonBytes(text)))
    }),
    { numRuns: 1_000 },
  )
})

it.each([
  ['levels', `${'['.repeat(65)}${']'.repeat(65)}`],
  ['members', `[${'{},'.repeat(200_000)}{}]`],
  ['elements', `[${'1,'.repeat(1_000_001)}1]`],
  ['a fault far behind', `["${'a'.repeat(1_100_000)}" x]`],
  ['a byte order mark', '\uFEFF{}'],
  ['levels behind a fault', `]x${'['.repeat(65)}`],
  [
    'more long strings than are looked for',
    `[${Array(longStringsMax + 2).fill(`"${'a'.repeat(longStringBytesMin)}"`)}]`,
  ],
])('bounds hold as they do at once: %s', (_, text) => {
  const bytes = Buffer.from(text)
  const inSteps = outcome(() => atOnce(parseJsonSteps(bytes)).value)
  const atOnceToo = outcome(() => parseJsonBytes(bytes))
  expect(inSteps).toEqual(atOnceToo)
})

it('a length is bounded when asked', () => {
  expect(() => atOnce(parseJsonSteps(Buffer.from('[10]'), { lengthMax: 3 }))).toThrow(JsonError)
})

it('the members of the outermost object are found as the scan finds them', () => {
  const member = fc.tuple(space, name, space, fc.oneof(jsonText, longString))
  const object = fc
    .array(member, { maxLength: 4 })
    .map(members => ` {${members.map(([gap, key, after, spelled]) => `${gap}${key}${after}:${spelled}`).join(',')} }`)
  fc.assert(
    fc.property(object, pieceBytes, (text, piece) => {
      const bytes = Buffer.from(text)
      const isValid = !Array.isArray(outcome(() => parseJsonBytes(bytes)))
      fc.pre(isValid)
      expect(atOnce(parseJsonSteps(bytes, {}, piece)).members).toEqual(scanObject(bytes).members)
    }),
    { numRuns: 100 },
  )
})

it('a body of 35 MB is read in steps of 2 MiB at most', () => {
  const steps = parseJsonSteps(Buffer.from(`{"a":"${'QUJD\\/A+/'.repeat(3_500_000)}"}`))
  let count = 0
  while (steps.next().done !== true) count++
  // Three looks at all of it: its characters, its structure, the string.
  expect(count).toBeGreaterThan(3 * (31_500_000 / 2_097_152))
})
