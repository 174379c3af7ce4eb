import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasShieldSigns, shieldReferences, unshieldReferences } from './shield-references.ts'
import { readYamlTree } from './yaml-tree.ts'

test('a shielded text has the same length, and unshielding gives it back', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom('${A}', '${A:-x, y: [z] # }', '$${A}', '${', '}', '"', '\n', '${B:-"'),
  )
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const text = pieces.join('')
      fc.pre(!hasShieldSigns(text))
      const shielded = shieldReferences(text)
      expect(shielded).toHaveLength(text.length)
      expect(unshieldReferences(shielded)).toBe(text)
    }),
    { numRuns: 1_000 },
  )
})

test.each([
  ['{ token: ${NAME:-} }', { token: '${NAME:-}' }],
  ['{ a: ${A}, b: [${B:-x}, y] }', { a: '${A}', b: ['${B:-x}', 'y'] }],
  ['a: ${A:-b: c, [d] #e}', { a: '${A:-b: c, [d] #e}' }],
  ['a: "${A:-\\"b\\"}"', { a: '${A:-"b"}' }],
  ["a: '${A}'", { a: '${A}' }],
  ['a: $${A} # ${B}', { a: '$${A}' }],
  ['a: |\n  ${A}\n', { a: '${A}\n' }],
])('%s is read as it is meant', (text, expected) => {
  const { value, faults } = readYamlTree(text)
  expect(faults).toEqual([])
  expect(value).toEqual(expected)
})

test('what stands behind a reference is found where it stands', () => {
  const { faults } = readYamlTree('a: { b: ${LONG_NAME:-default}, c: 1, c: 2 }\n')
  expect(faults).toMatchObject([{ path: ['a', 'c'], line: 1, column: 38 }])
})

test('a file with such signs of its own is refused', () => {
  expect(readYamlTree('a: \uf741\n').faults).toHaveLength(1)
})
