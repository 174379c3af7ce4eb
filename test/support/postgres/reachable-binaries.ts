import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { onceInRun, runFolder } from './run-folder.ts'
import { findServerBinaries } from './server-binaries.ts'
import { isReachable } from './unprivileged.ts'

/**
 * The folder of `initdb` and `postgres`, such that the account of the servers can run them. npm's are copied once per run
 * when they lie under a closed folder (`/root`), or when install scripts were off: these make links between libraries.
 * Throws when there is no server to be had.
 */
export async function reachableBinaries(): Promise<string> {
  const found = findServerBinaries()
  if ('problem' in found) throw new Error(found.problem)
  const original = dirname(found.folder)
  const linkList = join(original, 'pg-symlinks.json')
  const links = existsSync(linkList) ? parseLinks(await readFile(linkList, 'utf8')) : []
  const isComplete = links.every(link => existsSync(join(original, link.target)))
  if (isComplete && (await isReachable(found.folder))) return found.folder
  const copy = join(await runFolder(), 'binaries')
  await onceInRun('binaries', () => copyServer(original, copy, links))
  return join(copy, basename(found.folder))
}

interface Link {
  readonly source: string
  readonly target: string
}

/** Paths in the list begin with `native/`, the folder that the list is in. */
function parseLinks(text: string): Link[] {
  const links = JSON.parse(text) as Link[]
  return links.map(({ source, target }) => ({ source: relative('native', source), target: relative('native', target) }))
}

async function copyServer(original: string, copy: string, links: readonly Link[]): Promise<void> {
  await mkdir(copy)
  await cp(original, copy, { recursive: true, filter: path => !path.endsWith('.a'), verbatimSymlinks: true })
  for (const { source, target } of links) {
    if (!existsSync(join(copy, target))) await symlink(relative(dirname(target), source), join(copy, target))
  }
  await chmod(copy, 0o755)
}
