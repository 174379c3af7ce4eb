import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, statfs, symlink } from 'node:fs/promises'
import { freemem } from 'node:os'
import { basename, join } from 'node:path'
import { runFolder } from './run-folder.ts'
import { giveAway } from './unprivileged.ts'

/**
 * `disk` commits as slowly as in production. `memory` is for many small databases: one is some 300 files, and to create them
 * on a disk takes ten times as long. Processes that are killed lose nothing there.
 */
export type ServerPlace = 'disk' | 'memory'

const memory = '/dev/shm'
/** Many small databases, one with a million records, and the WAL. */
const freeBytesMin = 4 * 1024 ** 3

/** Makes the empty `data` of a server's folder, and returns where it really is: on the disk, too, when memory is short. */
export async function makeDataFolder(folder: string, place: ServerPlace): Promise<string> {
  const data = join(folder, 'data')
  if (place === 'disk' || !(await isSpacious())) {
    await mkdir(data, { mode: 0o700 })
    await giveAway(data)
    return data
  }
  // The guard of the run removes the folder of this name, too.
  const ofRun = join(memory, basename(await runFolder()))
  await mkdir(ofRun, { recursive: true })
  const target = await mkdtemp(join(ofRun, 'data-'))
  await giveAway(target)
  await symlink(target, data)
  return target
}

async function isSpacious(): Promise<boolean> {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = await statfs(memory)
  return Math.min(bavail * bsize, freemem()) >= freeBytesMin
}
