import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'

/** The kernel's control groups as it shows them: a folder is a group, and files in it are its bounds. */
export interface GroupFiles {
  /** @throws ENOENT, EACCES */
  read(path: string): string
  /** Never makes a file: the kernel does, when a group is made. @throws ENOENT, EACCES, EBUSY, ESRCH */
  write(path: string, text: string): void
  /** Names of what is in a folder. */
  list(folder: string): readonly string[]
  make(folder: string): void
  /** @throws EBUSY while a process is in the group */
  remove(folder: string): void
}

/** At once and not through the thread pool: none of this touches a disk, and bounds that come late are none. */
export const kernelGroupFiles: GroupFiles = {
  read: path => readFileSync(path, 'latin1'),
  write: (path, text) => writeFileSync(path, text, { flag: 'r+' }),
  list: folder => readdirSync(folder),
  make: folder => mkdirSync(folder),
  remove: folder => rmdirSync(folder),
}
