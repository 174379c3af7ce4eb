import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { startChild } from '../../src/adapters/documents/pool/child-process.ts'
import { openControlGroups } from '../../src/adapters/documents/pool/control-groups.ts'
import { createJobPool } from '../../src/adapters/documents/pool/job-pool.ts'
import { systemClock } from '../../src/adapters/system/system-clock.ts'
import { systemTimers } from '../../src/adapters/system/system-timers.ts'
import { type FakeKernel, fakeKernel } from '../support/documents/fake-kernel.ts'

const memoryBytesMax = 64 * 1_048_576
const service = '/sys/fs/cgroup/service'
const started: ChildProcess[] = []
afterEach(() => {
  for (const process of started.splice(0)) process.kill('SIGKILL')
})

/** Groups of a gateway that is in this one. Processes that the kernel does not know run another program. */
function groupsIn(kernel: FakeKernel) {
  const programOf = (pid: string) => (Number(pid) === process.pid ? 'node' : 'shell')
  return openControlGroups({ memoryBytesMax, files: kernel.files, programOf })
}

function sleeper(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  started.push(child)
  return Number(child.pid)
}

describe('control groups are used', () => {
  it('below the gateway’s own, which moves into one beside them', () => {
    const kernel = fakeKernel({ own: '/service', pids: [process.pid] })
    expect(groupsIn(kernel)).not.toBeNull()
    expect(kernel.pidsOf(service)).toEqual([])
    expect(kernel.pidsOf(`${service}/rialto-gateway`)).toEqual([process.pid])
    expect(kernel.files.read(`${service}/cgroup.subtree_control`)).toBe('memory pids')
  })

  it('beside it, where the system or another process of the gateway has moved it already', () => {
    const kernel = fakeKernel({ own: '/service', pids: [process.pid] })
    groupsIn(kernel)
    kernel.setOwn('/service/rialto-gateway')
    expect(groupsIn(kernel)).not.toBeNull()
    expect(kernel.pidsOf(`${service}/rialto-gateway`)).toEqual([process.pid])
  })

  it.each([
    ['where there are none', { own: null, pids: [] }],
    ['where they cannot be written', { own: '/service', pids: [process.pid], readOnly: true }],
    ['where memory cannot be bounded', { own: '/service', pids: [process.pid], controllers: 'cpu pids' }],
    ['where somebody else is in the same group', { own: '/service', pids: [process.pid, 1] }],
    ['in the root of all groups', { own: '/', pids: [process.pid] }],
  ])('not %s, and nobody is moved', (_, options) => {
    const kernel = fakeKernel(options)
    expect(groupsIn(kernel)).toBeNull()
    if (options.own !== null) expect(kernel.pidsOf(`/sys/fs/cgroup${options.own}`)).toEqual(options.pids)
  })

  it('without what a gateway left behind that was killed', () => {
    const kernel = fakeKernel({ own: '/service', pids: [process.pid] })
    kernel.files.make(`${service}/rialto-child-1-1`)
    groupsIn(kernel)
    expect(kernel.folders()).not.toContain(`${service}/rialto-child-1-1`)
  })
})

describe('a child', () => {
  it('is in a group of its own, with bounds on memory, swap and processes, until it is gone', async () => {
    const kernel = fakeKernel({ own: '/service', pids: [process.pid] })
    const child = startChild(
      { file: process.execPath, arguments: ['-e', 'setInterval(() => {}, 1000)'] },
      groupsIn(kernel),
    )
    const folder = `${service}/rialto-child-${process.pid}-1`
    expect(kernel.pidsOf(folder)).toEqual([child.pid])
    const bounds = ['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max'].map(name =>
      kernel.files.read(`${folder}/${name}`),
    )
    expect(bounds).toEqual([`${memoryBytesMax}`, '0', '1', '256'])
    child.kill()
    await child.exited
    expect(kernel.folders()).not.toContain(folder)
  })

  it('is ended with what left its process group', async () => {
    const kernel = fakeKernel({ own: '/service', pids: [process.pid] })
    const child = startChild(
      { file: process.execPath, arguments: ['-e', 'setInterval(() => {}, 1000)'] },
      groupsIn(kernel),
    )
    const strayed = sleeper()
    kernel.files.write(`${service}/rialto-child-${process.pid}-1/cgroup.procs`, `${strayed}`)
    child.kill()
    await child.exited
    expect(kernel.killed()).toContain(strayed)
  })

  it('that the kernel ends at its memory is said to have taken too much', async () => {
    const kernel = fakeKernel({ own: '/service', pids: [process.pid] })
    const groups = groupsIn(kernel)
    const wait = 'process.stdin.resume(); process.stdin.on("end", () => setInterval(() => {}, 1000))'
    const pool = createJobPool({
      childrenMax: 1,
      limits: { memoryBytesMax, cpuMsMax: 60_000, wallMsMax: 60_000 },
      walls: async () => ({ command: () => ({ file: process.execPath, arguments: ['-e', wait] }), groups }),
      clock: systemClock,
      timers: systemTimers,
    })
    const job = { head: { kind: 'image', to: null }, bytes: Buffer.from('x'), lane: 'a', answerBytesMax: 100 } as const
    const outcome = pool.run(job, new AbortController().signal)
    await kernel.groupOf('rialto-child')
    kernel.fillMemory(`${service}/rialto-child-${process.pid}-1`)
    expect(await outcome).toEqual({ kind: 'failure', reason: 'memory' })
    await pool.close()
    expect(kernel.folders().filter(name => name.includes('rialto-child'))).toEqual([])
  })

  it('that the kernel takes into no group is read all the same', async () => {
    const kernel = fakeKernel({ own: '/service', pids: [process.pid] })
    const groups = groupsIn(kernel)
    kernel.refuseGroups()
    expect(groups?.add(sleeper())).toBeNull()
    expect(kernel.folders().filter(name => name.includes('rialto-child'))).toEqual([])
  })
})
