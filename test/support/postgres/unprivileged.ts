import { chown, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'

/** Debian's nobody and nogroup. */
const nobody = 65_534
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups']
const isRoot = process.getuid?.() === 0
const anybodyMayEnter = 0o001

/** `uid:gid` of the servers' files; undefined when it is that of the tests. */
export const accountOfServers = isRoot ? `${nobody}:${nobody}` : undefined

/** A command as it is run by an account that is not root: PostgreSQL and PgBouncer refuse root. */
export function unprivileged(program: string, parameters: readonly string[]): { file: string; parameters: string[] } {
  const [file = '', ...rest] = isRoot ? [...asNobody, program, ...parameters] : [program, ...parameters]
  return { file, parameters: rest }
}

/** Gives a folder to the account of the servers. */
export async function giveAway(folder: string): Promise<void> {
  if (isRoot) await chown(folder, nobody, nobody)
}

/** Whether the account of the servers can open what is under the path. */
export async function isReachable(path: string): Promise<boolean> {
  if (!isRoot) return true
  const { mode } = await stat(path)
  if ((mode & anybodyMayEnter) === 0) return false
  return path === '/' || isReachable(dirname(path))
}

/** A temporary folder that the account of the servers can enter, wherever TMPDIR points. */
export async function temporaryBase(): Promise<string> {
  return (await isReachable(tmpdir())) ? tmpdir() : '/tmp'
}
