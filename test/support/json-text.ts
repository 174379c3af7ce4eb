import fc from 'fast-check'

/** JSON texts as people and programs spell them: white space anywhere, escapes, every spelling of numbers. */

const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/)

const number = fc.stringMatching(/^-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,4})?([eE][+-]?[0-9]{1,2})?$/)

const stringPiece = fc.oneof(
  fc.stringMatching(/^[ !#-[\]-~]{1,6}$/),
  fc.constantFrom('é', '漢', '😀', '\u2028', '\u007f'),
  fc.constantFrom('\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '{', '}', '[', ']', ',', ':'),
  fc.constantFrom(
    '\\u0041',
    '\\u00e9',
    '\\uD83D\\uDE00',
    '\\ud83d',
    '\\uDE00',
    '\\uD800\\uDC00',
    '\\udbff\\udfff',
    '\\uDBFF\\uE000',
    '\\uD7ff\\uDC00',
    '\\uD83D\\uD83D\\uDE00',
    '\\u0000',
  ),
)

/** The spelling of a string with its quotes. */
export const jsonString = fc.array(stringPiece, { maxLength: 6 }).map(pieces => `"${pieces.join('')}"`)

/** Spelled member names: few, so that duplicates and different spellings of one name happen. */
const jsonKey = fc.oneof(
  fc.constantFrom('"a"', '"b"', '"\\u0061"', '"model"', '"mod\\u0065l"', '"__proto__"', '""', '"usage"'),
  jsonString,
)

/** An object spelled from members whose values come from `value`. */
export function jsonObjectOf(key: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const member = fc.tuple(space, key, space, space, value, space)
  const members = fc.array(
    member.map(([before, name, afterName, beforeValue, spelled, after]) =>
      [before, name, afterName, ':', beforeValue, spelled, after].join(''),
    ),
    { maxLength: 5 },
  )
  return fc.tuple(members, space).map(([list, inner]) => `{${list.length > 0 ? list.join(',') : inner}}`)
}

const trees = fc.letrec<{ value: string; object: string; array: string; scalar: string }>(tie => ({
  scalar: fc.oneof(fc.constantFrom('null', 'true', 'false'), number, jsonString),
  array: fc.tuple(fc.array(fc.tuple(space, tie('value'), space), { maxLength: 4 }), space).map(([list, inner]) => {
    return `[${list.length > 0 ? list.map(piece => piece.join('')).join(',') : inner}]`
  }),
  object: jsonObjectOf(jsonKey, tie('value')),
  value: fc.oneof({ maxDepth: 4 }, tie('scalar'), tie('array'), tie('object')),
}))

export const jsonText = fc.tuple(space, trees.value, space).map(pieces => pieces.join(''))

export const jsonObjectText = fc.tuple(space, trees.object, space).map(pieces => pieces.join(''))

/** The spelling of any value without white space around it. */
export const jsonValueText = trees.value

/** A text with one small damage, which often leaves it invalid and sometimes does not. */
export const damagedJsonText = fc
  .tuple(
    jsonText,
    fc.nat(),
    fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', 'e', 'u', '\n', '\u0001', 'é'),
  )
  .map(([text, seed, piece]) => {
    const at = seed % (text.length + 1)
    return text.slice(0, at) + piece + text.slice(at + (piece === '' ? 1 : 0))
  })
