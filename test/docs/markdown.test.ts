import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { codeSpans, readPage } from './markdown.ts'

const folder = mkdtempSync(join(tmpdir(), 'rialto-markdown-'))
afterAll(() => rmSync(folder, { recursive: true }))

const text = `# Title: \`GET /v1/key\`

See [here](there.md#part) and [a \`b\`](#title-get-v1key).

\`\`\`sh key=x
echo "| not | a table |"
# not a heading
\`\`\`

<!-- not run: no reason -->
\`\`\`ini
a
\`\`\`

| A | B |
|---|---|
| \`x\\|y\` | [z](z.md) |

## Soft and strict
`

function page() {
  const path = join(folder, 'page.md')
  writeFileSync(path, text)
  return readPage(path)
}

test('a page gives its blocks with language, words, text, line and the reason for not running', () => {
  expect(page().blocks).toEqual([
    {
      page: 'page.md',
      line: 5,
      language: 'sh',
      words: ['key=x'],
      text: 'echo "| not | a table |"\n# not a heading',
      notRun: null,
    },
    { page: 'page.md', line: 11, language: 'ini', words: [], text: 'a', notRun: 'no reason' },
  ])
})

test('a page gives its links with their lines, its anchors and its tables, and none of them out of a block', () => {
  const { links, anchors, tables } = page()
  expect(links).toEqual([
    { line: 3, target: 'there.md#part' },
    { line: 3, target: '#title-get-v1key' },
    { line: 17, target: 'z.md' },
  ])
  expect(anchors).toEqual(new Set(['title-get-v1key', 'soft-and-strict']))
  expect(tables).toEqual([{ line: 15, head: ['A', 'B'], rows: [['`x|y`', '[z](z.md)']] }])
})

test('code spans are read without their marks', () => {
  expect(codeSpans('`a`, b and `c d`')).toEqual(['a', 'c d'])
})
