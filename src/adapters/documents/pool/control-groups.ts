import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type ChildGroup, openChildGroup, tryToRemove } from './child-group.ts'
import { type GroupFiles, kernelGroupFiles } from './group-files.ts'

const mount = '/sys/fs/cgroup'
/** A group bounds its children only while it has no process of its own, so the gateway moves into one beside them. */
const gatewayGroup = 'rialto-gateway'
const childPrefix = 'rialto-child-'
const controllers = ['memory', 'pids']

/** Puts children into control groups of the kernel. */
export interface ControlGroups {
  /** A new group with this process in it; null when the kernel refuses, or the process is gone. */
  add(pid: number): ChildGroup | null
}

interface GroupsOptions {
  readonly memoryBytesMax: number
  readonly files?: GroupFiles
  /** Which program a process runs. */
  readonly programOf?: (pid: string) => string
}

/**
 * Control groups (cgroup v2) below the gateway's own, where it may make some: in a unit with `Delegate=`, or in a
 * container whose groups can be written. Null elsewhere, and where others share its group, because to bound children it
 * would have to move them too.
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html
 */
export function openControlGroups({ memoryBytesMax, ...options }: GroupsOptions): ControlGroups | null {
  const { files = kernelGroupFiles, programOf = programOfProcess } = options
  const folder = findFolder(files, programOf)
  if (folder === null) return null
  let count = 0
  return {
    add(pid) {
      count += 1
      return openChildGroup(join(folder, `${childPrefix}${process.pid}-${count}`), { pid, memoryBytesMax, files })
    },
  }
}

/** The folder in which groups with bounds can be made, made ready for it. */
function findFolder(files: GroupFiles, programOf: (pid: string) => string): string | null {
  try {
    const own = /^0::(\/.*)$/m.exec(files.read('/proc/self/cgroup'))?.[1]
    if (own === undefined) return null
    const ownFolder = join(mount, own)
    const isApart = basename(ownFolder) === gatewayGroup
    const folder = isApart ? dirname(ownFolder) : ownFolder
    if (!offers(files, folder) || !(isApart || moveApart(files, folder, programOf))) return null
    files.write(join(folder, 'cgroup.subtree_control'), controllers.map(name => `+${name}`).join(' '))
    removeLeftovers(files, folder)
    return folder
  } catch {
    // There are none, or they cannot be written.
    return null
  }
}

/** The root of all groups has no type; nobody should be moved there. */
function offers(files: GroupFiles, folder: string): boolean {
  const offered = files.read(join(folder, 'cgroup.controllers')).trim().split(' ')
  const type = files.read(join(folder, 'cgroup.type')).trim()
  return type === 'domain' && controllers.every(name => offered.includes(name))
}

/** Moves the gateway's processes, which run one program, and nobody else's. False when there are others. */
function moveApart(files: GroupFiles, folder: string, programOf: (pid: string) => string): boolean {
  const pids = files.read(join(folder, 'cgroup.procs')).split('\n').filter(Boolean)
  const own = programOf(`${process.pid}`)
  if (pids.some(pid => programOf(pid) !== own)) return false
  const target = join(folder, gatewayGroup)
  if (!files.list(folder).includes(gatewayGroup)) files.make(target)
  for (const pid of pids) files.write(join(target, 'cgroup.procs'), pid)
  return true
}

/** Groups of a gateway that was killed. Those of one that runs are in use, and stay. */
function removeLeftovers(files: GroupFiles, folder: string): void {
  for (const name of files.list(folder)) if (name.startsWith(childPrefix)) tryToRemove(join(folder, name), files)
}

function programOfProcess(pid: string): string {
  return realpathSync(`/proc/${pid}/exe`)
}
