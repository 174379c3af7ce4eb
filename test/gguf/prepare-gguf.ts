import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rmdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

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
  await acquire(lock)
  try {
    return await install()
  } finally {
    await rmdir(lock)
  }
}

async function install(): Promise<Obstacle> {
  if (!existsSync(`${root}gguf/node_modules/node-llama-cpp/package.json`)) {
    try {
      const words = ['ci', '--prefix', 'gguf', '--omit=optional', '--no-audit', '--no-fund', '--fetch-retries=1']
      await run('npm', words, { cwd: root, timeout: installMsMax })
    } catch (error) {
      const reason = `the GGUF engine could not be installed (${npmCode(error)})`
      if (process.env['CI'] === 'true') throw new Error(reason)
      process.stderr.write(`skipped: ${reason}\n`)
      return reason
    }
  }
  const compiler = `${root}node_modules/typescript/bin/tsc`
  await run(process.execPath, [compiler, '-p', 'gguf/tsconfig.json'], { cwd: root, timeout: buildMsMax })
  return undefined
}

/** A folder as a lock; one left behind by a killed run is taken over when it is too old to be in use. */
async function acquire(lock: string): Promise<void> {
  for (let waited = 0; waited < 2 * lockMsMax; waited += 100) {
    try {
      await mkdir(lock)
      return
    } catch {
      const age =
        Date.now() -
        (await stat(lock)
          .then(({ mtimeMs }) => mtimeMs)
          .catch(() => Date.now()))
      if (age > lockMsMax) await rmdir(lock).catch(() => undefined)
      await sleep(100)
    }
  }
  throw new Error('the GGUF engine is being prepared by somebody else, for too long')
}

/** npm's own word for what went wrong, e.g. ECONNREFUSED. */
function npmCode(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)
  return /npm error code (\w+)/.exec(text)?.[1] ?? text.split('\n', 1).join('')
}
