import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type Page, readPage } from './markdown.ts'
import { root } from './pages.ts'

const folders = ['.', 'docs', 'docs/decisions']
const pages = new Map<string, Page>()
for (const folder of folders) {
  for (const name of readdirSync(join(root, folder))) {
    if (name.endsWith('.md')) pages.set(resolve(root, folder, name), readPage(resolve(root, folder, name)))
  }
}

test('every link leads to a file of the repository, and to a heading that is there', () => {
  const broken = [...pages.values()].flatMap(page =>
    page.links
      .filter(({ target }) => !leadsSomewhere(page, target))
      .map(({ line, target }) => `${page.name}:${line} ${target}`),
  )
  expect(broken).toEqual([])
})

test('the index names every page for readers', () => {
  const index = pages.get(resolve(root, 'docs/README.md'))
  const named = new Set(index?.links.map(({ target }) => target))
  const forReaders = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md') && name !== 'README.md')
  expect(forReaders.filter(name => !named.has(name))).toEqual([])
})

/** Addresses elsewhere are not asked: the tests touch no network. */
function leadsSomewhere(page: Page, target: string): boolean {
  if (/^https?:/.test(target)) return true
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? page.path : resolve(dirname(page.path), file)
  if (anchor === undefined) return existsSync(path)
  return pages.get(path)?.anchors.has(anchor) ?? false
}
