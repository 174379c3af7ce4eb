import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CitationMark, createMarkReader } from './citation-marks.ts'

const styles = ['brackets', 'carets'] as const
const crumbs = fc.constantFrom(
  '[',
  ']',
  '^',
  '1',
  '2',
  '12',
  '0',
  ', ',
  ',',
  ' ',
  'Ä',
  '🙂',
  '日',
  '[3]',
  '^4^',
  '[1, 2]',
  '^1,3^',
  '`',
  '``',
  '```',
  '~~~',
  '\n',
  '\\',
)
const text = fc.array(crumbs, { maxLength: 40 }).map(parts => parts.join(''))

/** Cuts a text at any unit, within characters too. */
function cut(whole: string, places: readonly number[]): readonly string[] {
  const at = [...new Set(places.map(place => place % (whole.length + 1)))].sort((left, right) => left - right)
  return [...at, whole.length].map((end, index) => whole.slice(at[index - 1] ?? 0, end))
}

function marksOf(pieces: readonly string[], style: (typeof styles)[number]): readonly CitationMark[] {
  const reader = createMarkReader(style)
  return [...pieces.flatMap(piece => reader.push(piece)), ...reader.end(true)]
}

test.each(styles)('marks in %s are the same however the text was cut, and stand where they say', style => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(200)), (whole, places) => {
      const marks = marksOf(cut(whole, places), style)
      expect(marks).toEqual(marksOf([whole], style))
      for (const { start, end, numbers } of marks) {
        const shown = [...whole].slice(start, end).join('')
        expect(
          shown
            .replaceAll(/[[\]^]/g, '')
            .split(',')
            .map(Number),
        ).toEqual(numbers)
        expect(shown[0]).toBe(style === 'brackets' ? '[' : '^')
      }
    }),
    { numRuns: 3_000 },
  )
})

test.each([
  ['brackets', 'a [1] b[12][3] [1, 2]', [[1], [12], [3], [1, 2]]],
  ['brackets', '[0] [100] [] [1 [a] ^1^ (1)', []],
  ['carets', 'a ^1^ b^1,3^', [[1], [1, 3]]],
  ['carets', '2^10 x^2 [1] ^ 1^', []],
  ['carets', 'a ^1^ b.^1,2,3,7', [[1], [1, 2, 3, 7]]],
  ['carets', 'b.^2 ', [[2]]],
  ['carets', 'b^2', []],
  ['carets', 'b.^2 and more', []],
  ['brackets', 'a `b[1]` [2]', [[2]]],
  ['brackets', 'a ``b ` [1]`` [2]', [[2]]],
  ['brackets', 'a ` b [1]\n\nc [2]', [[1], [2]]],
  ['brackets', 'a ` b [1]', [[1]]],
  ['brackets', 'a \\` b [1] ` c [2]', [[1], [2]]],
  ['brackets', '```js\na[1]\n\nb[2]\n```\nc [3]', [[3]]],
  ['brackets', '~~~~\na[1]\n~~~\n```\nb[2]\n~~~~\nc [3]', [[3]]],
  ['brackets', '  ```\na[1]', []],
  ['brackets', '```a[1]``` b [2]', [[2]]],
  ['brackets', 'x ~~~ [1]', [[1]]],
  ['brackets', 'a [2] `b[1]`', [[2]]],
  ['brackets', 'a [2] ``b[1]`', [[2], [1]]],
  ['carets', '`a^1^` ^2^\n```\n^1^\n```\n^3^', [[2], [3]]],
] as const)('in %s, %j names %j', (style, whole, numbers) => {
  expect(marksOf([whole], style).map(mark => mark.numbers)).toEqual(numbers)
})

test('a mark that a limit cut off names nothing', () => {
  const reader = createMarkReader('carets')
  expect([...reader.push('a.^1,2'), ...reader.end(false)]).toEqual([])
})
