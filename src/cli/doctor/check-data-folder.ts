import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, failed, messageOf, passed } from './check.ts'

const writableByOthers = 0o022
const openToOthers = 0o077
/** Windows has no such modes: what stat says there is made up. */
const hasModes = process.platform !== 'win32'

/** Whoever can write there can credit accounts; whoever can read the secret can forge keys. */
export function checkDataFolder(folder: string): Check {
  const name = 'data folder'
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    if (hasModes && (statSync(folder).mode & writableByOthers) !== 0) {
      return failed(name, `${folder} can be written by other users`, `chmod go-w ${folder}`)
    }
    const secret = join(folder, 'secret.key')
    const found = statSync(secret, { throwIfNoEntry: false })
    if (hasModes && found !== undefined && (found.mode & openToOthers) !== 0) {
      return failed(name, `${secret} is open to other users`, `chmod 600 ${secret}`)
    }
    return passed(name, folder)
  } catch (error) {
    return failed(name, messageOf(error), `make ${folder} a folder that this user can write`)
  }
}
