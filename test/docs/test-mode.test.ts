import { expect, test } from 'vitest'
import { magicInputs } from '../../src/adapters/engines/sandbox/magic-inputs.ts'
import { contextTokens } from '../../src/adapters/engines/sandbox/read-prompt.ts'
import { sandboxModel } from '../../src/config/sandbox-settings.ts'
import { codeSpans, readPage } from './markdown.ts'
import { root } from './pages.ts'

const page = readPage(`${root}docs/test-mode.md`)
const table = page.tables.find(({ head }) => head[0] === 'Magic input')

test('the table of docs/test-mode.md has every magic input of the code with its values, in order, and no other', () => {
  const shown = table?.rows.map(([spelled = '']) => codeSpans(spelled)[0])
  const known = Object.entries(magicInputs).map(
    ([name, { syntax }]) => `sandbox:${name}${syntax === '' ? '' : `=${syntax}`}`,
  )
  expect(shown).toEqual(known)
})

test('it says for each of them what happens, what callers see and what is charged', () => {
  expect(table?.head).toHaveLength(5)
  for (const row of table?.rows ?? []) {
    expect(row).toHaveLength(5)
    expect(row).not.toContain('')
  }
})

test('the values of `usage` have a table of their own', () => {
  const rows = page.tables.find(({ head }) => head[0] === 'Value')?.rows ?? []
  expect(rows.map(([value = '']) => codeSpans(value)[0]).join('|')).toBe(magicInputs.usage.syntax)
})

test('the context of the test mode is that of its model in the catalogue', () => {
  expect(contextTokens).toBe(sandboxModel.contextTokens)
})
