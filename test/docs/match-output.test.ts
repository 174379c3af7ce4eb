import { expect, test } from 'vitest'
import { differences, matchesText } from './match-output.ts'

test('the sign … stands for any text, of any length, over lines', () => {
  expect(matchesText('data: {"id":"chatcmpl-1"}\n\ndata: [DONE]\n', 'data: {"id":"chatcmpl-…"}\n\ndata: [DONE]')).toBe(
    true,
  )
  expect(matchesText('a\nb\nc', 'a…c')).toBe(true)
  expect(matchesText('ac', 'a…c')).toBe(true)
})

test('all other text has to be the same, also at both ends', () => {
  expect(matchesText('data: [DONE]', 'data: [done]')).toBe(false)
  expect(matchesText('more than shown', 'than')).toBe(false)
  expect(matchesText('a.c', 'abc')).toBe(false)
  expect(matchesText('abc', 'a.c')).toBe(false)
})

test('JSON differs by a member more, a member less, another value or another length', () => {
  expect(differences({ a: 1, b: [{ c: 'x' }] }, { a: 1, b: [{ c: '…' }] })).toEqual([])
  expect(differences({ a: 1 }, { a: 1, b: 2 })).toEqual(['.b: is missing'])
  expect(differences({ a: 1, b: 2 }, { a: 1 })).toEqual(['.b: is not shown: 2'])
  expect(differences({ a: [1, 2] }, { a: [1] })).toEqual(['.a: 2 items instead of 1'])
  expect(differences({ a: { b: 1 } }, { a: { b: '1' } })).toEqual(['.a.b: 1 instead of "1"'])
  expect(differences({ a: null }, { a: {} })).toEqual(['.a: null instead of {}'])
})

test('times and sums may be other numbers, but have to be numbers', () => {
  expect(differences({ created: 2, balance: 4.5 }, { created: 1, balance: 5 })).toEqual([])
  expect(differences({ created: 'now' }, { created: 1 })).toEqual(['.created: "now" instead of 1'])
  expect(differences({ cost: 2 }, { cost: 1 })).toEqual(['.cost: 2 instead of 1'])
})
