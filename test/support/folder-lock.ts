import { mkdir, rmdir, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 100

/**
 * Lets one process at a time do what several test files need done once. A folder is the lock; one that a killed run left
 * behind is taken over when it is older than `heldMsMax`. Throws when the lock is not to be had in twice that time.
 */
export async function withFolderLock<Value>(
  lock: string,
  heldMsMax: number,
  run: () => Promise<Value>,
): Promise<Value> {
  await acquire(lock, heldMsMax)
  try {
    return await run()
  } finally {
    await rmdir(lock)
  }
}

async function acquire(lock: string, heldMsMax: number): Promise<void> {
  for (let waited = 0; waited < 2 * heldMsMax; waited += pollMs) {
    if (await tryToMake(lock)) return
    if ((await ageOf(lock)) > heldMsMax) await rmdir(lock).catch(passOverMissing)
    await sleep(pollMs)
  }
  throw new Error(`somebody else holds ${lock} for too long`)
}

async function tryToMake(lock: string): Promise<boolean> {
  try {
    await mkdir(lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Milliseconds; 0 when it is gone. */
async function ageOf(lock: string): Promise<number> {
  const facts = await stat(lock).catch(passOverMissing)
  return facts === undefined ? 0 : Date.now() - facts.mtimeMs
}

/** Whoever held it may let it go at any time. */
function passOverMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
