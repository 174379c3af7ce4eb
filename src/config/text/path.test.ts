import { expect, test } from 'vitest'
import { formatPath, pathKey, valueAt, withValueAt } from './path.ts'

const root = { models: [{ id: 'a' }, { id: 'b', limits: null }] }

test('a path is written as people write it', () => {
  expect(formatPath(['models', 0, 'served', 1, 'engine'])).toBe('models[0].served[1].engine')
  expect(formatPath([0, 'a'])).toBe('[0].a')
  expect(formatPath([])).toBe('')
})

test('different paths have different keys', () => {
  const paths = [[], ['a'], ['a', 'b'], ['a.b'], ['a', 0], ['a', '0'], ['a,b'], ['"a","b"']]
  expect(new Set(paths.map(pathKey)).size).toBe(paths.length)
})

test('what is at a path is found, and nothing that objects inherit', () => {
  expect(valueAt(root, ['models', 1, 'id'])).toBe('b')
  expect(valueAt(root, ['models', 1, 'limits'])).toBeNull()
  expect(valueAt(root, [])).toBe(root)
  for (const path of [['models', 2], ['models', 1, 'limits', 'rpm'], ['toString'], ['models', 0, 'constructor']]) {
    expect(valueAt(root, path)).toBeUndefined()
  }
})

test('a copy differs only at the path, and the original stays', () => {
  expect(withValueAt(root, ['models', 0, 'id'], 'x')).toEqual({ models: [{ id: 'x' }, { id: 'b', limits: null }] })
  expect(withValueAt(root, ['models', 1, 'limits'], undefined)).toEqual({ models: [{ id: 'a' }, { id: 'b' }] })
  expect(withValueAt(root, ['nowhere', 'at', 'all'], 1)).toEqual(root)
  expect(withValueAt(root, [], 1)).toBe(1)
  expect(root).toEqual({ models: [{ id: 'a' }, { id: 'b', limits: null }] })
})
