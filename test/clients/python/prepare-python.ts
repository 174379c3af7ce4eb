import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { withFolderLock } from '../../support/folder-lock.ts'
import { missing } from '../../support/missing.ts'

const run = promisify(execFile)
const requirements = fileURLToPath(new URL('./requirements.txt', import.meta.url))
const cache = fileURLToPath(new URL('../../../node_modules/.cache/rialto-python/', import.meta.url))

const venvMsMax = 60_000
const installMsMax = 180_000
const outputBytesMax = 16_777_216

/** A Python that has the clients, or why there is none. */
export type Python = { readonly program: string } | { readonly obstacle: string }

/**
 * Makes a virtual environment with the pinned clients, once for all runs: it lies among the installed packages, under a
 * name that says what is in it. Where Python or its packages cannot be had the reason comes back, so that tests are
 * reported as skipped; in CI that is a failure instead.
 */
export async function preparePython(): Promise<Python> {
  try {
    await mkdir(cache, { recursive: true })
    return await withFolderLock(join(cache, 'lock'), venvMsMax + installMsMax, makeEnvironment)
  } catch (error) {
    const obstacle = `the Python clients could not be installed (${reasonOf(error)})`
    return { obstacle: missing(obstacle) }
  }
}

async function makeEnvironment(): Promise<Python> {
  const { stdout: version } = await run('python3', ['-VV'], { timeout: venvMsMax })
  const name = createHash('sha256')
    .update(version)
    .update(await readFile(requirements))
    .digest('hex')
    .slice(0, 16)
  const finished = join(cache, name)
  const program = programIn(finished)
  if (existsSync(program)) return { program }
  // An environment that was not finished never gets the name under which it would be used.
  const unfinished = `${finished}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await run('python3', ['-m', 'venv', unfinished], { timeout: venvMsMax })
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--disable-pip-version-check', '--only-binary=:all:']
  const patience = ['--timeout', '15', '--retries', '1']
  await run(programIn(unfinished), [...pip, ...patience, '--requirement', requirements], {
    timeout: installMsMax,
    maxBuffer: outputBytesMax,
  })
  await rename(unfinished, finished)
  return { program }
}

function programIn(environment: string): string {
  return process.platform === 'win32' ? join(environment, 'Scripts', 'python.exe') : join(environment, 'bin', 'python')
}

/** The last thing that the failed program said, or what stopped it. */
function reasonOf(error: unknown): string {
  const { stderr, message, killed } = error as { stderr?: string; message: string; killed?: boolean }
  if (killed === true) return 'it took too long'
  const said = (stderr ?? '')
    .trim()
    .split('\n')
    .filter(line => /error/i.test(line))
    .at(-1)
  return said ?? message.split('\n', 1).join('')
}
