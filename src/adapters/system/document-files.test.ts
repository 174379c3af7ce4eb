import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { documentFiles } from './document-files.ts'

it.each([
  ['a name that nothing has', '/nowhere/at/all', 'is not there'],
  ['a file taken for a folder', `${fileURLToPath(import.meta.url)}/x`, 'is not there'],
  ['a name that the system refuses', `/${'x'.repeat(5_000)}`, 'cannot be looked at (ENAMETOOLONG)'],
])('says of %s why there are no documents', async (_, path, why) => {
  await expect(documentFiles.list(path)).rejects.toThrow(`${path} ${why}.`)
})

it('reads what is a file, and nothing that has taken the place of one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-files-'))
  const file = join(folder, 'a.txt')
  const link = join(folder, 'b.txt')
  await writeFile(file, 'text')
  await symlink(file, link)
  expect((await documentFiles.list(folder)).map(({ path }) => path)).toEqual([file])
  expect((await documentFiles.read(file, 10)).toString()).toBe('text')
  await expect(documentFiles.read(link, 10)).rejects.toThrow('ELOOP')
  await expect(documentFiles.read('/dev/null', 10)).rejects.toThrow('no file')
  await expect(documentFiles.read(folder, 10_000_000)).rejects.toThrow('no file')
  await rm(folder, { recursive: true })
})
