import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesPattern } from './match-pattern.ts'
import { samplePattern } from './sample-pattern.ts'
import { SchemaScope } from './schema-scope.ts'

function matches(pattern: string, text: string): boolean {
  const scope = new SchemaScope(true)
  return matchesPattern(scope.pattern(pattern), text, scope)
}

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '\\d',
  '\\w',
  '[ab]',
  '[^a]',
  '[a-c1]',
  '\\.',
  '\\b',
  '^',
  '$',
  '\\x61',
  '\\u{62}',
)

const { pattern } = fc.letrec<{ pattern: string }>(tie => ({
  pattern: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.array(tie('pattern'), { maxLength: 3 }).map(parts => parts.join('')),
    fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }).map(parts => `(${parts.join('|')})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{0,}', '*?'))
      .map(([part, repeat]) => `(?:${part})${repeat}`),
    tie('pattern').map(part => `(?=${part})`),
    tie('pattern').map(part => `(?!${part})`),
  ),
}))

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '.', ' '), maxLength: 6 })

it('finds in a text exactly what the platform finds', () => {
  fc.assert(
    fc.property(pattern, text, (pattern, text) => {
      expect(matches(pattern, text)).toBe(new RegExp(pattern, 'u').test(text))
    }),
    { numRuns: 1_000 },
  )
})

it('makes samples of patterns that look nowhere ahead and have no inner edges', () => {
  for (const pattern of ['^[A-Z]{3}-\\d{4}$', '^(foo|bar)+$', '[^\\s]', '^\\S+@\\S+\\.[a-z]{2,}$', '^$', 'x*']) {
    const scope = new SchemaScope(true)
    const [sample] = samplePattern(scope.pattern(pattern), { variant: 0, min: 0, max: 50 }, scope)
    expect(sample).toMatch(new RegExp(pattern, 'u'))
  }
})

it('takes no exponential time for a pattern that has many ways to match', () => {
  expect(matches('^(a+)+$', `${'a'.repeat(60)}!`)).toBe(false)
  expect(matches('^(a|a|a?)*$', `${'a'.repeat(60)}!`)).toBe(false)
})
