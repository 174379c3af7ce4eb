import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chatSchema } from '../../src/dialects/venice/decode/chat-schema.ts'
import { modelTypes } from '../../src/dialects/venice/decode/model-type.ts'
import { veniceParametersSchema } from '../../src/dialects/venice/decode/venice-parameters.ts'
import { veniceApi } from '../../src/dialects/venice/schemas/api.ts'
import { aliasRows } from '../venice/chat-request/rows.ts'
import { codeSpans, type Page, type Table } from './markdown.ts'
import { pageNamed } from './pages.ts'

const chat = pageNamed('venice-chat')

function tableOf(page: Page, firstHead: string): Table {
  const table = page.tables.find(({ head }) => head[0] === firstHead)
  if (table === undefined) throw new Error(`${page.name} has no table that begins with ${firstHead}`)
  return table
}

function namesIn({ rows }: Table): string[] {
  return rows.flatMap(([first = '']) => codeSpans(first))
}

test('docs/venice-chat.md lists every field of a request, and no other', () => {
  const dropped = ['user', 'store', 'include', 'metadata']
  const known = [...Object.keys(chatSchema.shape), ...dropped]
  const shown = namesIn(tableOf(chat, 'Field')).map(name => name.split('.')[0] ?? '')
  expect([...new Set(shown)].sort()).toEqual(known.sort())
})

test.each([
  ['venice-chat', Object.keys(aliasRows)],
  ['venice-models', modelTypes],
])('docs/%s.md names every alias and every type', (name, words) => {
  const spans = codeSpans(readFileSync(pageNamed(name).path, 'utf8').replaceAll(/```[\s\S]*?```/g, ''))
  expect(words.filter(word => !spans.some(span => span.includes(word)))).toEqual([])
})

test('docs/venice-chat.md lists every setting with what it is where nothing is said', () => {
  expect(namesIn(tableOf(chat, 'Key')).sort()).toEqual(Object.keys(veniceParametersSchema.shape).sort())
})

test('docs/venice.md lists every address', () => {
  const prefix = '/api/v1'
  const shown = tableOf(pageNamed('venice'), 'Address').rows.flatMap(([address = '']) =>
    codeSpans(address).map(span => span.split(' ').at(-1)?.replace(prefix, '') ?? ''),
  )
  const paths = [...new Set(veniceApi.operations.map(({ path }) => path.slice(prefix.length)))]
  const retired = '/billing/usage'
  expect(shown.sort()).toEqual(paths.filter(path => path !== retired).sort())
})
