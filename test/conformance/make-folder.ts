import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is gone when the test is over. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
