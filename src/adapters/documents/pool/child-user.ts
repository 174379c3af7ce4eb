import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { childFile, readableFolders } from './permission-flags.ts'

/** Numbers that systems give to nobody: above those of people, below those of systemd's passing users. */
const firstUser = 60_600
const users = 512
/** Of capabilities(7): ending a process of another user, and becoming another group and user. */
const needed = [5, 6, 7].map(bit => 1n << BigInt(bit))

/** Whether this process may run children as users of their own, and end them all the same. Root in a container may not. */
export function mayChangeUser(status: string = readStatus()): boolean {
  const held = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`)
  return process.getuid?.() === 0 && needed.every(bit => (held & bit) !== 0n)
}

/** Words of `setpriv` that make a process a user which nobody else is, nor most likely another child. */
export function userWords(): readonly string[] {
  const user = firstUser + randomInt(users)
  return [`--reuid=${user}`, `--regid=${user}`, '--clear-groups']
}

/** A program for `node -e` that fails where this user cannot read what a child needs, as in somebody's home. */
export const accessTrial: readonly string[] = [
  '-e',
  'for (const path of process.argv.slice(1)) require("node:fs").accessSync(path, 5)',
  ...readableFolders(),
  childFile.slice(0, childFile.lastIndexOf('/')),
]

function readStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'latin1')
  } catch {
    return ''
  }
}
