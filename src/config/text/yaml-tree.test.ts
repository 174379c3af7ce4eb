import { expect, test } from 'vitest'
import { readYamlTree } from './yaml-tree.ts'

function faultsOf(text: string): readonly string[] {
  return readYamlTree(text).faults.map(({ line, column, message }) => `${line}:${column} ${message}`)
}

test('a file becomes plain values', () => {
  const { value, faults } = readYamlTree(
    'a: 1\nb: [x, true, null, 1.5]\nc: { d: "2" }\ne: 2027-01-31\nf: yes\n8402: g\n',
  )
  expect(faults).toEqual([])
  expect(value).toEqual({ a: 1, b: ['x', true, null, 1.5], c: { d: '2' }, e: '2027-01-31', f: 'yes', 8402: 'g' })
})

test('an empty file, or one of comments, is null', () => {
  expect(readYamlTree('').value).toBeNull()
  expect(readYamlTree('# nothing\n').value).toBeNull()
})

test('keys and entries are found where they stand, and missing ones where they belong', () => {
  const tree = readYamlTree('server:\n  port: 1\nmodels:\n  - id: a\n  -   id: b\n')
  expect(tree.locate(['server', 'port'])).toEqual({ line: 2, column: 3 })
  expect(tree.locate(['models', 1])).toEqual({ line: 5, column: 7 })
  expect(tree.locate(['models', 1, 'name'])).toEqual({ line: 5, column: 7 })
  expect(tree.locate(['nowhere'])).toEqual({ line: 1, column: 1 })
})

test('an alias repeats what its anchor named', () => {
  const { value, faults } = readYamlTree('a: &x { b: 1 }\nc: *x\n')
  expect(faults).toEqual([])
  expect(value).toEqual({ a: { b: 1 }, c: { b: 1 } })
})

test.each([
  ['a key that is set twice', 'a: 1\nb: 2\na: 3\n', '3:1 is set twice'],
  ['a key that is not text', '? { a: 1 }\n: 2\n', '1:3 has a key that is not plain text'],
  ['a key that would change a prototype', '__proto__: { a: 1 }\n', '1:1 has a key that is not plain text'],
  [
    'a number with digits that would be lost',
    'a: 0.12345678901234567891\n',
    '1:1 has more digits than a number can keep; write at most 15',
  ],
  ['an alias without an anchor', 'a: *x\n', '1:1 refers to "x", which nothing above is called'],
  ['an anchor inside of which its alias stands', 'a: &x [*x]\n', '1:8 is nested deeper than 32 levels'],
  ['a tag that says what a value is', 'a: !thing 1\n', '1:4 is not valid YAML: Unresolved tag: !thing'],
  ['several documents', 'a: 1\n---\nb: 2\n', expect.stringContaining('multiple documents')],
  ['a bracket without its end', 'a: [1\nb: 2\n', expect.stringContaining('2:1 is not valid YAML')],
])('%s is a fault', (_, text, expected) => {
  expect(faultsOf(text)[0]).toEqual(expected)
})

test('all faults of a file are found at once', () => {
  expect(faultsOf('a: 1\na: 2\nb: *x\nc: 9007199254740993\n')).toHaveLength(3)
})

test('a small file cannot unfold into a large value', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level <= 8; level += 1) lines.push(`a${level}: &a${level} [${Array(10).fill(`*a${level - 1}`)}]`)
  expect(faultsOf(lines.join('\n'))[0]).toContain('holds more than 200000 values')
})

/** Each is 1 MiB of what parsers dislike; the last good configuration must survive it. */
test.each([
  ['['.repeat(1 << 20), 'is nested deeper than 32 brackets'],
  ['{a: '.repeat(1 << 18), 'is nested deeper than 32 brackets'],
  ['- '.repeat(1 << 19), 'is too long'],
  ['? '.repeat(1 << 19), 'is too long'],
  ['a:\n'.repeat(1 << 18), 'is too long'],
  [Array.from({ length: 30_000 }, (_, at) => `${' '.repeat(Math.min(at, 30))}a:`).join('\n'), expect.any(String)],
])('a hostile file is refused and does not take the process down', (text, expected) => {
  expect(readYamlTree(text).faults[0]?.message).toEqual(expected)
})
