import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cryptoRandom } from './crypto-random.ts'
import { openDataFolder } from './data-folder.ts'
import { readOrCreateSecret } from './secret-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rialto-secret-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

test('the first start makes a secret that only the owner may read, the next ones read it', async () => {
  const path = join(folder, 'secret.key')
  const first = await readOrCreateSecret(path, cryptoRandom)
  expect(first).toMatchObject({ isNew: true, isExposed: false })
  expect(first.secret.reveal()).toMatch(/^[0-9a-f]{64}$/)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const second = await readOrCreateSecret(path, cryptoRandom)
  expect(second).toMatchObject({ isNew: false, isExposed: false })
  expect(second.secret.reveal()).toBe(first.secret.reveal())
})

test('processes that start together have the same secret, and leave nothing else behind', async () => {
  const path = join(folder, 'secret.key')
  const all = await Promise.all(Array.from({ length: 20 }, () => readOrCreateSecret(path, cryptoRandom)))
  expect(new Set(all.map(({ secret }) => secret.reveal())).size).toBe(1)
  expect(all.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(await readdir(folder)).toEqual(['secret.key'])
})

test('a file that others may read is used, and says so', async () => {
  const path = join(folder, 'secret.key')
  await writeFile(path, `${'x'.repeat(40)}\n`)
  await chmod(path, 0o644)
  const stored = await readOrCreateSecret(path, cryptoRandom)
  expect(stored).toMatchObject({ isExposed: true, isNew: false })
  expect(stored.secret.reveal()).toBe('x'.repeat(40))
})

test('a file that holds no secret is never replaced, because keys hang on it', async () => {
  const path = join(folder, 'secret.key')
  await writeFile(path, 'planted\n')
  const reading = readOrCreateSecret(path, cryptoRandom)
  await expect(reading).rejects.toThrow(/fewer than 32 characters/)
  await expect(reading).rejects.not.toThrow(/planted/)
  expect(await readFile(path, 'utf8')).toBe('planted\n')
})

test('a folder that does not exist is an error that is told', async () => {
  await expect(readOrCreateSecret(join(folder, 'none', 'secret.key'), cryptoRandom)).rejects.toThrow(/ENOENT/)
})

test('the data folder is made for its owner alone, with those above it', async () => {
  const path = await openDataFolder(join(folder, 'a', 'data'))
  expect(path).toBe(join(folder, 'a', 'data'))
  expect((await stat(path)).mode & 0o777).toBe(0o700)
})

test('a data folder that exists keeps its rights', async () => {
  await chmod(folder, 0o755)
  await openDataFolder(folder)
  expect((await stat(folder)).mode & 0o777).toBe(0o755)
})

test('a file in the place of the data folder is told, with what to do', async () => {
  const path = join(folder, 'data')
  await writeFile(path, '')
  await expect(openDataFolder(path)).rejects.toThrow(/cannot be used \(EEXIST\).*RIALTO_DATA/)
})
