import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteIndex } from '../../src/adapters/search/index/sqlite/sqlite-index.ts'
import { rialto, rialtoJson, useInstallation } from '../cli/installation.ts'
import { atEnd } from '../support/at-end.ts'

const installation = useInstallation()

async function writePages(): Promise<string> {
  const folder = join(installation.folder, 'handbook')
  await mkdir(join(folder, 'deep', '.hidden'), { recursive: true })
  await writeFile(join(folder, 'leave.md'), '# Leave\n\nEverybody has thirty days of holiday.\n\n## Parents\n\nA year.')
  await writeFile(join(folder, 'deep', '規程.txt'), '有給休暇は年間三十日です。')
  await writeFile(
    join(folder, 'deep', 'page.html'),
    `<head><title>Rules &amp; more</title></head><body><nav><a href="/">Sitemap</a> <a href="/jobs">Vacancies</a></nav>
     <article><h1>Rules &amp; more</h1><p>${'Be kind to each other, and be on time. '.repeat(12)}</p></article>
     <script>x()</script><footer>Imprint and cookies</footer></body>`,
  )
  await writeFile(join(folder, 'deep', '.hidden', 'secret.md'), '# Secret')
  await writeFile(join(folder, 'empty.md'), '')
  await writeFile(join(folder, 'program.exe'), 'MZ')
  return folder
}

it('adds folders, files and pages, lists and removes them', async () => {
  const folder = await writePages()
  const server = createServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
      .end(Buffer.from('<h1>Caf\xe9</h1><p>Open at nine.</p>', 'latin1')),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  atEnd(async () => server.close())
  const page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cafe`

  expect(await rialtoJson(installation, ['index', 'list'])).toEqual([])
  const added = await rialto(installation, ['index', 'add', folder, page, '--json'])
  expect(JSON.parse(added.stdout)).toEqual([
    { address: 'index:handbook/deep/page.html', title: 'Rules & more', chunks: 1 },
    { address: 'index:handbook/deep/規程.txt', title: '規程.txt', chunks: 1 },
    { address: 'index:handbook/empty.md', problem: 'it holds no text' },
    { address: 'index:handbook/leave.md', title: 'Leave', chunks: 2 },
    { address: page, title: 'Café', chunks: 1 },
  ])
  // One document without text is no success, and is named.
  expect(added.code).toBe(1)
  expect(added.stderr).toContain('index:handbook/empty.md')

  const index = openSqliteIndex(join(installation.folder, 'data', 'search-index.db'))
  atEnd(() => index.close())
  const text = (await index.read('index:handbook/deep/page.html'))?.chunks.map(chunk => chunk.text).join(' ')
  expect(text).toMatch(/^Be kind to each other/)
  expect(text).not.toMatch(/Sitemap|Vacancies|Imprint/)

  const again = await rialto(installation, [
    'index',
    'add',
    join(folder, 'leave.md'),
    '--base',
    'https://hr.example/book',
  ])
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('https://hr.example/book/leave.md: Leave') })
  const rows = (await rialtoJson(installation, ['index', 'list'])) as { address: string }[]
  expect(rows.map(({ address }) => address)).toEqual(
    [
      'https://hr.example/book/leave.md',
      page,
      'index:handbook/deep/page.html',
      'index:handbook/deep/規程.txt',
      'index:handbook/leave.md',
    ].toSorted(),
  )
  expect(rows[0]).toMatchObject({ chunks: expect.any(Number), addedAt: expect.stringMatching(/^\d{4}-.*Z$/) })

  expect(await rialto(installation, ['index', 'remove', page])).toMatchObject({ code: 0 })
  expect(await rialto(installation, ['index', 'remove', page])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('index list'),
  })
}, 120_000)

it('says what is not there', async () => {
  expect(await rialto(installation, ['index', 'add', 'nowhere'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nowhere is not there'),
  })
  const deep = join(installation.folder, 'deep')
  await mkdir(join(deep, 'd/'.repeat(33)), { recursive: true })
  expect(await rialto(installation, ['index', 'add', deep])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /lies more than 32 folders deep in .*: add the folders with your documents one by one/,
    ),
  })
  expect(await rialto(installation, ['index', 'add'])).toMatchObject({ code: 2 })
  expect(await rialto(installation, ['index', 'add', 'x', '--base', 'ftp://x'])).toMatchObject({ code: 2 })
}, 60_000)
