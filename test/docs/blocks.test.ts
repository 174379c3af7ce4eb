import { expect, test } from 'vitest'
import { isOutput, isProgram } from './examples-of.ts'
import { loadDocsConfig } from './load-docs-config.ts'
import type { Block } from './markdown.ts'
import { examplePages } from './pages.ts'

const blocks = examplePages.flatMap(page => page.blocks)

test('every block is one that a test runs, compares or loads, but for those that say why not', () => {
  expect(blocks.filter(block => kindOf(block) === null).map(nameOf)).toEqual([])
})

test('hardly any block does not run, and each of them has a reason', () => {
  const reasons = blocks.flatMap(({ page, notRun }) => (notRun === null ? [] : [`${page}: ${notRun}`]))
  expect(reasons).toEqual([
    'README.md: keeps running; the first start is a test of its own',
    'README.md: is this test',
    'README.md: asks questions',
    'operating.md: installs packages and keeps running; the release check runs exactly this',
    'operating.md: the examples of this page need the engine',
    'operating.md: needs PostgreSQL',
  ])
})

test('output stands right behind the program that prints it', () => {
  for (const { blocks: ofPage } of examplePages) {
    for (const [index, block] of ofPage.entries()) {
      if (!isOutput(block)) continue
      const before = ofPage[index - 1]
      expect(before !== undefined && isProgram(before) && before.notRun === null, nameOf(block)).toBe(true)
    }
  }
})

test.each(blocks.filter(block => kindOf(block) === 'config').map(block => [nameOf(block), block] as const))(
  'the configuration at %s is one that the gateway takes',
  (name, { text }) => {
    expect(() => loadDocsConfig(text, name)).not.toThrow()
  },
)

type Kind = 'not run' | 'program' | 'output' | 'error' | 'config' | 'nginx'

function kindOf(block: Block): Kind | null {
  const { language, words, notRun } = block
  if (notRun !== null) return 'not run'
  if (isProgram(block)) return 'program'
  if (isOutput(block) && ['text', 'json'].includes(language)) return 'output'
  if (language === 'json' && words.includes('error')) return 'error'
  if (language === 'yaml' && words.includes('config')) return 'config'
  return language === 'nginx' ? 'nginx' : null
}

function nameOf({ page, line }: Block): string {
  return `${page}:${line}`
}
