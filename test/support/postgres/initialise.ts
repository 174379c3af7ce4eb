import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { password, superuser } from './database.ts'
import { giveAway, unprivileged } from './unprivileged.ts'

const initialiseMs = 60_000

/**
 * Fills the data folder of a new server. Only this first write is not synced: tests kill processes, they do not cut power.
 */
export async function initialise(binaries: string, data: string, folder: string): Promise<void> {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password)
  await giveAway(passwordFile)
  const { file, parameters } = unprivileged(join(binaries, 'initdb'), [
    `--pgdata=${data}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ])
  await promisify(execFile)(file, parameters, { cwd: folder, timeout: initialiseMs })
  await rm(passwordFile)
}
