import { dirname, join } from 'node:path'
import type { GroupFiles } from '../../../src/adapters/documents/pool/group-files.ts'
import { waitFor } from '../wait-for.ts'

interface KernelOptions {
  /** The group of the gateway; null where there are no control groups. */
  readonly own: string | null
  /** Who is in it. */
  readonly pids: readonly number[]
  readonly controllers?: string
  readonly readOnly?: boolean
}

export interface FakeKernel {
  readonly files: GroupFiles
  setOwn(own: string): void
  folders(): readonly string[]
  pidsOf(folder: string): readonly number[]
  killed(): readonly number[]
  /** Ends what is in a group, as when its memory is full. */
  fillMemory(folder: string): void
  /** No further group can be made. */
  refuseGroups(): void
  /** Resolves when there is a group whose path holds this. */
  groupOf(part: string): Promise<void>
}

interface Group {
  readonly files: Map<string, string>
  pids: number[]
}

const mount = '/sys/fs/cgroup'

/** Control groups with the rules of cgroup v2 that the gateway meets, for processes that are real. */
export function fakeKernel({
  own,
  pids,
  controllers = 'cpu memory pids',
  readOnly = false,
}: KernelOptions): FakeKernel {
  const groups = new Map<string, Group>()
  const killed: number[] = []
  let membership = own
  let refuses = false

  const fail = (code: string): never => {
    throw Object.assign(new Error(code), { code })
  }
  const add = (folder: string, offered: string): Group => {
    const files = new Map([
      ['cgroup.controllers', `${offered}\n`],
      ['cgroup.subtree_control', ''],
      ['cgroup.kill', ''],
    ])
    if (folder !== mount) files.set('cgroup.type', 'domain\n')
    if (offered.includes('memory'))
      for (const name of ['memory.max', 'memory.swap.max', 'memory.oom.group']) files.set(name, '')
    if (offered.includes('pids')) files.set('pids.max', 'max')
    files.set('memory.events', 'oom 0\noom_kill 0\n')
    const group = { files, pids: [] }
    groups.set(folder, group)
    return group
  }
  if (own !== null) add(join(mount, own), controllers).pids = [...pids]

  const groupAt = (folder: string): Group => groups.get(folder) ?? fail('ENOENT')
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const end = (group: Group) => {
    for (const pid of group.pids.splice(0)) {
      killed.push(pid)
      if (pid !== process.pid && isAlive(pid)) process.kill(pid, 'SIGKILL')
    }
  }
  const move = (pid: number, target: Group) => {
    // A group whose children are bounded has no process of its own.
    if (target.files.get('cgroup.subtree_control') !== '') fail('EBUSY')
    for (const group of groups.values()) group.pids = group.pids.filter(it => it !== pid)
    target.pids.push(pid)
  }

  const files: GroupFiles = {
    read(path) {
      if (path === '/proc/self/cgroup') return membership === null ? '1:memory:/\n' : `0::${membership}\n`
      const group = groupAt(dirname(path))
      if (path.endsWith('/cgroup.procs')) return group.pids.map(pid => `${pid}\n`).join('')
      return group.files.get(path.slice(dirname(path).length + 1)) ?? fail('ENOENT')
    },
    write(path, text) {
      if (readOnly) fail('EROFS')
      const group = groupAt(dirname(path))
      const name = path.slice(dirname(path).length + 1)
      if (name === 'cgroup.procs') return move(Number(text), group)
      if (!group.files.has(name)) fail('ENOENT')
      if (name === 'cgroup.kill') return end(group)
      if (name === 'cgroup.subtree_control' && group.pids.length > 0) fail('EBUSY')
      group.files.set(name, text.replaceAll('+', ''))
    },
    list: folder => [
      ...groupAt(folder).files.keys(),
      ...[...groups.keys()].filter(path => dirname(path) === folder).map(path => path.slice(folder.length + 1)),
    ],
    make(folder) {
      if (readOnly) fail('EROFS')
      if (refuses) fail('EAGAIN')
      const parent = groupAt(dirname(folder))
      add(folder, parent.files.get('cgroup.subtree_control') ?? '')
    },
    remove(folder) {
      if (groupAt(folder).pids.some(isAlive)) fail('EBUSY')
      groups.delete(folder)
    },
  }
  return {
    files,
    setOwn: path => {
      membership = path
    },
    folders: () => [...groups.keys()],
    pidsOf: folder => groupAt(folder).pids,
    killed: () => killed,
    fillMemory(folder) {
      const group = groupAt(folder)
      group.files.set('memory.events', 'oom 1\noom_kill 1\n')
      end(group)
    },
    refuseGroups: () => {
      refuses = true
    },
    async groupOf(part) {
      await waitFor(`a group ${part}`, () => [...groups.keys()].some(path => path.includes(part)))
    },
  }
}
