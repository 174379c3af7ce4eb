import { expect, test } from 'vitest'
import { pathKey } from './path.ts'
import { resolveReferences, retype } from './references.ts'

const variables: Readonly<Record<string, string>> = {
  NAME: 'value',
  EMPTY: '',
  NESTED: '${NAME}',
  QUOTES: 'a: "b"\n- c',
}
const lookup = (name: string): string | undefined => variables[name]

function resolved(text: string): unknown {
  const { value, faults } = resolveReferences({ key: text }, lookup)
  return faults.length > 0 ? faults.map(fault => fault.message) : (value as { key: unknown }).key
}

test.each([
  ['a variable gives its value', '${NAME}', 'value'],
  ['a variable may stand inside a text, several times', 'a-${NAME}-${NAME}', 'a-value-value'],
  ['a default stands in for a variable that is not set', '${OTHER:-else}', 'else'],
  ['a default stands in for a variable that is empty', '${EMPTY:-else}', 'else'],
  ['a default may be empty', '${OTHER:-}', ''],
  ['a default may hold any sign but a closing brace', '${OTHER:-http://h:1/${x}', 'http://h:1/${x'],
  ['an empty variable without a default is empty text', '${EMPTY}', ''],
  ['what a variable holds is not read as a reference', '${NESTED}', '${NAME}'],
  ['what a variable holds cannot change the structure of the file', '${QUOTES}', 'a: "b"\n- c'],
  ['a doubled dollar sign is the sign itself', '$${NAME}', '${NAME}'],
  ['a dollar sign without a brace is nothing special', 'costs $5', 'costs $5'],
])('%s', (_, text, expected) => {
  expect(resolved(text)).toBe(expected)
})

test('a variable that is not set and has no default is a fault with its path', () => {
  const { faults } = resolveReferences({ engines: [{ apiKey: '${MISSING}' }] }, lookup)
  expect(faults).toEqual([
    { path: ['engines', 0, 'apiKey'], message: 'needs the environment variable MISSING, which is not set' },
  ])
})

test.each(['${', '${}', '${1A}', '${A B}', '${A-b}', '${A:b}', '${A'])('%s is a fault', text => {
  expect(resolved(text)).toEqual([expect.stringContaining('is no reference')])
})

test('keys and values that are not text stay as they are', () => {
  const value = { '${NAME}': 1, list: [true, null, 1.5] }
  expect(resolveReferences(value, lookup)).toEqual({ value, references: new Map(), faults: [] })
})

test('texts that are nothing but a reference are remembered with what they became', () => {
  const { references } = resolveReferences({ a: '${NAME}', b: 'x${NAME}', c: ['${OTHER:-7}'], d: '$${NAME}' }, lookup)
  expect([...references]).toEqual([
    [pathKey(['a']), 'value'],
    [pathKey(['c', 0]), '7'],
  ])
})

test('a text may mean a number or a boolean where one is wanted', () => {
  expect(['8402', '-1', '0.25', '.5', '1e3', 'true', 'false'].map(retype)).toEqual([
    8402,
    -1,
    0.25,
    0.5,
    1000,
    true,
    false,
  ])
  for (const text of ['', 'yes', '0x10', 'Infinity', 'NaN', '1 ', '1,5', '9007199254740993']) {
    expect(retype(text), text).toBeUndefined()
  }
})
