import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { resolve } from 'node:path'

/** Only the operator's own user may look into it: it holds the ledger and a secret. */
const folderMode = 0o700

/**
 * Makes the data folder where there is none, and gives its absolute path. A folder that exists keeps its rights, because
 * they are somebody's decision.
 * @throws Error that names the folder and what is wrong, when it cannot be read and written
 */
export async function openDataFolder(path: string): Promise<string> {
  const folder = resolve(path)
  try {
    await mkdir(folder, { recursive: true, mode: folderMode })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`The data folder ${folder} cannot be used (${codeOf(error)}). Choose another with RIALTO_DATA.`)
  }
  if (!(await stat(folder)).isDirectory()) throw new Error(`The data folder ${folder} is not a folder.`)
  return folder
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
