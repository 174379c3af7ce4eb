import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withFolderLock } from '../support/folder-lock.ts'
import { missing } from '../support/missing.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const installMsMax = 150_000
const buildMsMax = 60_000
const lockMsMax = installMsMax + buildMsMax

/** Why the engine cannot be tested here; undefined when it can. */
export type Obstacle = string | undefined

/**
 * Installs the GGUF engine where it is missing, as an operator would, and builds it. Where packages cannot be had, the
 * reason comes back, so that tests are reported as skipped; in CI that is a failure instead. Test files run at the same
 * time, so only one prepares at once.
 */
export async function prepareGguf(): Promise<Obstacle> {
  const lock = join(tmpdir(), `rialto-gguf-${root.replaceAll(/[^a-z0-9]/gi, '_')}.lock`)
  return withFolderLock(lock, lockMsMax, install)
}

async function install(): Promise<Obstacle> {
  if (!existsSync(`${root}gguf/node_modules/node-llama-cpp/package.json`)) {
    try {
      const words = ['ci', '--prefix', 'gguf', '--omit=optional', '--no-audit', '--no-fund', '--fetch-retries=1']
      await run('npm', words, { cwd: root, timeout: installMsMax })
    } catch (error) {
      return missing(`the GGUF engine could not be installed (${npmCode(error)})`)
    }
  }
  const compiler = `${root}node_modules/typescript/bin/tsc`
  await run(process.execPath, [compiler, '-p', 'gguf/tsconfig.json'], { cwd: root, timeout: buildMsMax })
  return undefined
}

/** npm's own word for what went wrong, e.g. ECONNREFUSED. */
function npmCode(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  return /npm error code (\w+)/.exec(text)?.[1] ?? text.split('\n', 1).join('')
}
