import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findDocuments } from './find-documents.ts'

const bounds = { documents: 3, entries: 8, depth: 2 }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rialto-documents-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function write(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), '')
  }
}

const find = (within = bounds) => findDocuments({ path: folder, name: 'book' }, within)
const namesIn = async (within = bounds) => (await find(within)).map(({ name }) => name)

it('finds documents by name, and passes over what is hidden, installed, a link or no document', async () => {
  await write('b.md', 'a/c.PDF', '.git/x.md', 'node_modules/y.md', 'z.exe')
  await symlink(folder, join(folder, 'again'))
  expect(await namesIn()).toEqual(['book/a/c.PDF', 'book/b.md'])
})

it('takes as many documents, entries and folders within folders as the bounds say', async () => {
  await write('1.md', '2.md', 'a/b/3.md', 'x', 'y', 'z')
  expect(await namesIn()).toEqual(['book/1.md', 'book/2.md', 'book/a/b/3.md'])
})

it('names the folder, the limit and the mend where there are more documents', async () => {
  await write('1.md', '2.md', '3.md', 'a/4.md')
  await expect(find()).rejects.toThrow(
    `${folder} holds more than 3 documents: add the folders with your documents one by one.`,
  )
})

it.each([
  ['in one folder', (at: number) => `${at}.exe`],
  ['in many folders', (at: number) => `${at % 3}/${at}.exe`],
  ['that are hidden', (at: number) => `.${at}`],
])('counts all that it looks at, also what is no document: %s', async (_, pathOf) => {
  await write(...Array.from({ length: 9 }, (_, at) => pathOf(at)))
  await expect(find()).rejects.toThrow(
    `${folder} holds more than 8 files and folders of any kind: add the folders with your documents one by one.`,
  )
})

it('does not look into what is hidden or installed', async () => {
  await write('a.md', ...Array.from({ length: 9 }, (_, at) => `${at % 2 === 0 ? '.git' : 'node_modules'}/${at}`))
  expect(await namesIn()).toEqual(['book/a.md'])
})

it('says which folder lies too deep, rather than leave its documents out', async () => {
  await write('a/b/c/4.md')
  await expect(find()).rejects.toThrow(
    `${join(folder, 'a/b/c')} lies more than 2 folders deep in ${folder}: add the folders with your documents one by one.`,
  )
  expect(await namesIn({ ...bounds, depth: 3 })).toEqual(['book/a/b/c/4.md'])
})

it('finds more than a thousand documents, and 32 folders within folders', async () => {
  await write(...Array.from({ length: 1_001 }, (_, at) => `${at}.md`), `${'d/'.repeat(32)}deep.md`)
  expect(await findDocuments({ path: folder, name: 'book' })).toHaveLength(1_002)
  await write(`${'d/'.repeat(33)}deeper.md`)
  await expect(findDocuments({ path: folder, name: 'book' })).rejects.toThrow('more than 32 folders deep')
})
