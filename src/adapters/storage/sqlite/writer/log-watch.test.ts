import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLogWatch } from './log-watch.ts'

const mebibyte = 1_048_576

it('says that there is no room while the log is larger than 256 MiB, and soon says when there is again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'rialto.db')
  const watch = createLogWatch(path)
  watch.look()
  expect(watch.hasRoom()).toBe(true)
  writeFileSync(`${path}-wal`, '')
  truncateSync(`${path}-wal`, 256 * mebibyte + 1)
  for (let group = 0; group < 64; group++) watch.look()
  expect(watch.hasRoom()).toBe(false)
  truncateSync(`${path}-wal`, 256 * mebibyte)
  watch.look()
  expect(watch.hasRoom()).toBe(true)
})
