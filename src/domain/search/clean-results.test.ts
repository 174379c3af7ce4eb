import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanResults } from './clean-results.ts'
import { cleanText } from './clean-text.ts'

const raw = (url: string, title: string | null = 'T') => ({ url, title, content: null, date: null })

test('only addresses of web pages are kept, each once, in order and up to the limit', () => {
  const given = [
    ...['javascript:alert(1)', 'ftp://h/', 'file:///etc/passwd', 'data:text/html,x', '//h/x', 'https://u:p@h/'],
    ...[
      'https://h/a',
      'http://h/a/',
      'https://h/a#part',
      'https://h/b',
      `https://h/${'x'.repeat(3_000)}`,
      'https://h/c',
    ],
  ]
  const urls = cleanResults(
    given.map(url => raw(url)),
    20,
  ).map(({ url }) => url)
  expect(urls).toEqual(['https://h/a', 'https://h/b', 'https://h/c'])
  expect(
    cleanResults(
      given.map(url => raw(url)),
      2,
    ).map(({ url }) => url),
  ).toEqual(['https://h/a', 'https://h/b'])
})

test('a page without a title is named by its host', () => {
  expect(cleanResults([raw('https://example.org/x', ' \u0000 ')], 1)[0]?.title).toBe('example.org')
})

test.each([
  ['The <strong>new</strong>\nrelease &amp; notes', 'The new release & notes'],
  ['a\u0000b\u001b[31mc', 'ab[31mc'],
  ['hid\u200bden\u202e text\u{e0041}\u{e0042}', 'hidden text'],
  ['&#x3c;b&#62; &nbsp;&unknown;', '<b> &unknown;'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
])('markup and what cannot be seen is left out: %j', (given, expected) => {
  expect(cleanText(given, 100)).toBe(expected)
})

test('a cleaned text is never longer than its bound, in one line and well-formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const clean = cleanText(text, max)
      expect(clean.length).toBeLessThanOrEqual(max)
      expect(clean).toMatch(/^[^\p{Cc}\p{Cs}]*$/u)
    }),
  )
})
