import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atEnd } from '../../../test/support/at-end.ts'
import { readYamlFolder } from './yaml-folder.ts'

const bounds = { filesMax: 3, bytesMax: 10 }

async function makeFolder(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-test-'))
  atEnd(() => rm(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  return folder
}

test('a folder gives its YAML files in the order of their names, and nothing else', async () => {
  const folder = await makeFolder({ 'b.yml': 'b: 1', 'a.yaml': 'ä', 'c.txt': 'no', '.hidden.yaml': 'no' })
  await mkdir(join(folder, 'folder.yaml'))
  const server = createServer().listen(join(folder, 'socket.yaml'))
  await once(server, 'listening')
  const files = await readYamlFolder(folder, { ...bounds, filesMax: 4 })
  expect(files).toEqual([
    { path: join(folder, 'a.yaml'), text: 'ä', createdMs: expect.any(Number), changedMs: expect.any(Number) },
    expect.objectContaining({ path: join(folder, 'b.yml'), text: 'b: 1' }),
  ])
  for (const { createdMs, changedMs } of files) expect(createdMs).toBeLessThanOrEqual(changedMs)
  server.close()
})

test('a folder that is not there holds no files', async () => {
  expect(await readYamlFolder('/nonexistent/folder', bounds)).toEqual([])
})

test.each([
  [
    'more files than may be',
    { 'a.yaml': '', 'b.yaml': '', 'c.yaml': '', 'd.yaml': '' },
    'holds more than 3 YAML files',
  ],
  [
    'a file that is longer than may be',
    { 'a.yaml': '12345678901' },
    'a.yaml cannot be read: it is longer than 10 bytes',
  ],
  ['a file that is no text', { 'a.yaml': Buffer.from([0xff]) }, 'a.yaml cannot be read: it is not UTF-8'],
])('%s is refused', async (_, files, message) => {
  await expect(readYamlFolder(await makeFolder(files), bounds)).rejects.toThrow(message)
})

test('what cannot be read is named', async () => {
  const folder = await makeFolder({ 'a.yaml': '' })
  await expect(readYamlFolder(join(folder, 'a.yaml'), bounds)).rejects.toThrow('a.yaml cannot be read: ENOTDIR')
  await symlink(join(folder, 'gone'), join(folder, 'b.yaml'))
  await expect(readYamlFolder(folder, bounds)).rejects.toThrow('b.yaml cannot be read: ENOENT')
})
