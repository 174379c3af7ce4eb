import { writeFileSync } from 'node:fs'
import { mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LogFields } from '../../core/logger.ts'
import { readConfigFile } from './config-file.ts'
import { type ConfigWatch, watchConfigFile } from './watch-config-file.ts'

interface Settings {
  readonly name: string
  readonly port: number
}

let folder = ''
let path = ''
let watches: ConfigWatch[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rialto-config-'))
  path = join(folder, 'rialto.yaml')
  watches = []
})
afterEach(async () => {
  for (const watch of watches) watch.close()
  await rm(folder, { recursive: true })
})

/** Texts are `name port`; a name that begins with `bad` is refused. */
function parse(text: string): Settings {
  const [name = '', port] = text.trim().split(' ')
  if (name.startsWith('bad')) throw new Error(`rialto.yaml has 2 problems:\n  ${name} one\n  ${name} two`)
  return { name, port: Number(port) }
}

async function start(text: string | null) {
  if (text !== null) await writeFile(path, text)
  const applied: Settings[] = []
  const events: { readonly event: string; readonly fields: LogFields | undefined }[] = []
  const note = (event: string, fields?: LogFields) => void events.push({ event, fields })
  const load = vi.fn((next: string) => parse(next))
  const watch = watchConfigFile<Settings>({
    path,
    bytesMax: 100,
    current: { text, config: parse(text ?? 'none 0') },
    load,
    needsRestart: (atStart, next) => (atStart.port === next.port ? [] : ['server.port']),
    apply: next => void applied.push(next),
    logger: { debug: () => undefined, info: note, warn: note, error: note },
  })
  watches.push(watch)
  return { watch, applied, events, load, names: () => applied.map(({ name }) => name) }
}

const within = { timeout: 8_000, interval: 20 }

test('a valid change is put into force', async () => {
  const { names, events } = await start('a 1')
  await writeFile(path, 'b 1')
  await vi.waitFor(() => expect(names()).toEqual(['b']), within)
  expect(events).toEqual([{ event: 'config.reloaded', fields: { needsRestart: [] } }])
})

test('an invalid change is refused and logged once, and the last good one stays', async () => {
  const { names, events } = await start('a 1')
  await writeFile(path, 'bad 1')
  await vi.waitFor(() => expect(events).toHaveLength(1), within)
  await wait(1_500)
  expect(names()).toEqual([])
  expect(events).toEqual([
    { event: 'config.refused', fields: { problems: ['rialto.yaml has 2 problems:', 'bad one', 'bad two'] } },
  ])
  await writeFile(path, 'c 1')
  await vi.waitFor(() => expect(names()).toEqual(['c']), within)
})

test('a file that is emptied or removed changes nothing, and is told once', async () => {
  const { names, events } = await start('a 1')
  await writeFile(path, '\n')
  await vi.waitFor(() => expect(events).toHaveLength(1), within)
  await rm(path)
  await wait(1_500)
  expect(names()).toEqual([])
  expect(events).toMatchObject([
    { event: 'config.refused', fields: { problems: [expect.stringContaining('is empty')] } },
  ])
  await writeFile(path, 'b 1')
  await vi.waitFor(() => expect(names()).toEqual(['b']), within)
})

test('a file that is replaced, as editors do it, is followed', async () => {
  const { names } = await start('a 1')
  await writeFile(join(folder, 'new'), 'b 1')
  await rename(join(folder, 'new'), path)
  await vi.waitFor(() => expect(names()).toEqual(['b']), within)
})

test('a change behind a link, which the system does not report, is noticed within a few seconds', async () => {
  const target = join(folder, 'deep')
  await rm(target, { recursive: true, force: true })
  await writeFile(target, 'a 1')
  await symlink(target, path)
  const { names } = await start(null)
  await vi.waitFor(() => expect(names()).toEqual(['a']), within)
  await writeFile(target, 'b 1')
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b']), within)
})

test('a file that appears later is taken over', async () => {
  const { names } = await start(null)
  await writeFile(path, 'b 1')
  await vi.waitFor(() => expect(names()).toEqual(['b']), within)
})

test('touching a file without changing it does nothing', async () => {
  const { load, events } = await start('a 1')
  await utimes(path, new Date(5_000), new Date(5_000))
  await wait(1_800)
  expect(load).not.toHaveBeenCalled()
  expect(events).toEqual([])
})

test('keys that need a restart are named, as long as they differ from those at start', async () => {
  const { names, events } = await start('a 1')
  for (const text of ['b 2', 'c 2', 'd 1']) {
    await writeFile(path, text)
    await vi.waitFor(() => expect(names().at(-1)).toBe(text[0]), within)
  }
  expect(events.map(({ fields }) => fields?.['needsRestart'])).toEqual([['server.port'], ['server.port'], []])
})

test('asking for a reload takes the file again, changed or not, and says what is wrong with it', async () => {
  const { watch, names, events } = await start('a 1')
  await watch.reload()
  expect(names()).toEqual(['a'])
  await rm(path)
  await watch.reload()
  expect(events.at(-1)).toMatchObject({
    event: 'config.refused',
    fields: { problems: [expect.stringContaining('gone')] },
  })
})

test('asking many times at once is asking once or twice', async () => {
  const { watch, load } = await start('a 1')
  await Promise.all(Array.from({ length: 100 }, () => watch.reload()))
  expect(load.mock.calls.length).toBeGreaterThan(0)
  expect(load.mock.calls.length).toBeLessThanOrEqual(2)
})

test('half a file that is still being written is not taken for a whole one', async () => {
  const { names } = await start('a 1')
  for (const text of ['h', 'ha', 'hal', 'half', 'half 1', 'halfway 1', 'whole 1']) {
    // Written at once, so that a busy machine delays the reader as much as the writer.
    writeFileSync(path, text)
    await wait(30)
  }
  await vi.waitFor(() => expect(names()).toEqual(['whole']), within)
})

test('after closing nothing is taken over', async () => {
  const { watch, names } = await start('a 1')
  watch.close()
  await writeFile(path, 'b 1')
  await wait(1_500)
  expect(names()).toEqual([])
})

test('a file is read with the second of its last change, and no file is null', async () => {
  await writeFile(path, '\ufeffa: 1')
  await utimes(path, new Date(1_767_225_600_500), new Date(1_767_225_600_500))
  expect(await readConfigFile(path, 100)).toEqual({ text: 'a: 1', changedSeconds: 1_767_225_600 })
  expect(await readConfigFile(join(folder, 'none'), 100)).toBeNull()
})

test.each([
  ['longer than allowed', () => writeFile(path, 'x'.repeat(101)), 'longer than 100 bytes'],
  ['not UTF-8', () => writeFile(path, Buffer.from([0xff, 0xfe])), 'not UTF-8'],
  ['endless', () => symlink('/dev/zero', path), 'longer than 100 bytes'],
  ['a folder', () => symlink('/', path), 'EISDIR'],
])('a file that is %s is an error that names it', async (_, make, expected) => {
  await make()
  await expect(readConfigFile(path, 100)).rejects.toThrow(expected)
  await expect(readConfigFile(path, 100)).rejects.toThrow(path)
})
