import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFolder } from '../../../lib/package-folder.ts'
import { programFile } from '../../../lib/program-file.ts'

const folder = fileURLToPath(packageFolder)

/** The program of a child. */
export const childFile = fileURLToPath(programFile('document-child'))

/** Node's own wall: it reads the program and its libraries, writes nothing and starts nothing. Empty where Node has none. */
export function permissionFlags(): readonly string[] {
  const flag = ['--permission', '--experimental-permission'].find(name => process.allowedNodeEnvironmentFlags.has(name))
  if (flag === undefined) return []
  return [flag, '--no-warnings', '--allow-addons', ...readableFolders().map(folder => `--allow-fs-read=${folder}/*`)]
}

/** Libraries are installed in the package, or beside it where the package itself is a dependency. */
export function readableFolders(): readonly string[] {
  const own = join(folder, 'node_modules')
  const words = folder.split(sep)
  const beside = words.lastIndexOf('node_modules')
  const outer = beside === -1 ? [] : [words.slice(0, beside + 1).join(sep)]
  const folders = [join(folder, 'dist'), ...(existsSync(own) ? [own, realpathSync(own)] : []), ...outer]
  return [...new Set(folders.map(path => (path.endsWith(sep) ? dirname(path) : path)))]
}
