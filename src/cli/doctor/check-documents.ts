import { countOf } from '../count-of.ts'
import { type Check, passed } from './check.ts'

type WallName = 'network' | 'files' | 'user' | 'orphans' | 'kernel_limits' | 'control_group' | 'memory_watch'

interface Wall {
  readonly name: WallName
  readonly stands: boolean
}

const meanings: Readonly<Record<WallName, string>> = {
  network: 'no network',
  files: 'no files but the program’s',
  user: 'a user of their own',
  orphans: 'an end with the gateway’s',
  kernel_limits: 'limits in the kernel',
  control_group: 'a control group',
  memory_watch: 'a watch over memory and processor time',
}

/** None for a user: only root can give one, and a gateway should not be root for it. */
const mends: Readonly<Partial<Record<WallName, string>>> = {
  network: 'install util-linux and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)',
  files: 'run a Node with the permission model',
  orphans: 'install util-linux (setpriv)',
  kernel_limits: 'install util-linux (prlimit)',
  control_group: 'let the gateway make control groups (docs/documents.md)',
  memory_watch: 'run on Linux',
}

/** Which walls the children stand behind that read callers' files. A missing one weakens them, and stops nothing. */
export function checkDocuments({ maxChildren }: { readonly maxChildren: number }, walls: readonly Wall[]): Check {
  const name = 'documents'
  if (maxChildren === 0) return passed(name, 'no files are read: documents.maxChildren is 0')
  const standing = walls.filter(({ stands }) => stands).map(wall => meanings[wall.name])
  const missing = walls.filter(({ stands }) => !stands)
  const detail = `${countOf(maxChildren, 'file')} at a time, in processes with ${standing.join(', ')}`
  if (missing.length === 0) return passed(name, detail)
  const without = missing.map(wall => meanings[wall.name]).join(', ')
  const mend = missing.flatMap(wall => mends[wall.name] ?? []).join('; ')
  return { ...passed(name, `${detail}; not with ${without}`), mend: mend === '' ? null : mend }
}
