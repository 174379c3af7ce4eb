import { execFileSync } from 'node:child_process'
import { cpSync, lstatSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describePostgres } from './index.ts'
import { reachableBinaries } from './reachable-binaries.ts'
import { findServerBinaries } from './server-binaries.ts'
import { unprivileged } from './unprivileged.ts'

describePostgres("npm's server", () => {
  test('runs from a closed folder, and without the links that an install script makes', async context => {
    const found = findServerBinaries()
    if (!('folder' in found) || !found.folder.includes('node_modules'))
      return context.skip("npm's server is not in use")
    const closed = mkdtempSync(join(tmpdir(), 'rialto-closed-'))
    onTestFinished(() => rmSync(closed, { recursive: true }))
    const withoutLinks = (path: string) => !path.endsWith('.a') && !lstatSync(path).isSymbolicLink()
    cpSync(dirname(found.folder), join(closed, 'native'), { recursive: true, filter: withoutLinks })
    vi.stubEnv('RIALTO_TEST_POSTGRES_BIN', join(closed, 'native', 'bin'))
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const { file, parameters } = unprivileged(join(await reachableBinaries(), 'postgres'), ['--version'])
    expect(execFileSync(file, parameters, { encoding: 'utf8', cwd: '/' })).toMatch(/^postgres \(PostgreSQL\) \d/)
  })
})
