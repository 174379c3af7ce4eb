import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { processesMax } from './child-group.ts'
import type { ChildCommand } from './child-process.ts'
import { accessTrial, mayChangeUser } from './child-user.ts'
import { type ControlGroups, openControlGroups } from './control-groups.ts'
import { inheritedDescriptors, isInherited } from './inherited-descriptors.ts'
import type { JobLimits } from './job.ts'
import { noPassage, type Passage, passages } from './passages.ts'
import { childFile, permissionFlags } from './permission-flags.ts'
import { StartError } from './start-error.ts'

const trialMsMax = 10_000
/** What a machine lacks for the moment; anything else says that a wall cannot stand. */
const shortages: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'])
const openFilesMax = 64
/** What the child may compute before the kernel ends it, beyond what the watch allows: its own start, and the measuring. */
const cpuSlackSeconds = 3

/** One thing that keeps a child from doing harm, and whether it stands on this machine. */
export interface Wall {
  readonly name: 'network' | 'files' | 'user' | 'orphans' | 'kernel_limits' | 'control_group' | 'memory_watch'
  readonly stands: boolean
}

export interface Walls {
  readonly list: readonly Wall[]
  /** Starts one child; asked anew for each, because each is another user where that is possible. */
  command(): ChildCommand
  readonly groups: ControlGroups | null
}

/**
 * Every wall that this machine has: a network namespace without devices, no files but the program's own and none to write,
 * a user of its own, limits in the kernel, a control group, and an end with the gateway's.
 * @throws StartError when the machine has no room to try them
 */
export async function buildWalls(limits: JobLimits): Promise<Walls> {
  const cpuSeconds = Math.ceil(limits.cpuMsMax / 1_000) + cpuSlackSeconds
  const [orphans, bounds] = await Promise.all([
    thatRuns(['setpriv', '--pdeathsig', 'KILL', '--no-new-privs']),
    thatRuns(['prlimit', `--cpu=${cpuSeconds}`, '--core=0', '--fsize=0', `--nofile=${openFilesMax}`]),
  ])
  // Processes are counted by user: one that others run too has more of them than a child may have.
  const boundsOf = ({ user }: Passage) => (user && bounds.length > 0 ? [...bounds, `--nproc=${processesMax}`] : bounds)
  const wordsOf = (passage: Passage) => [...passage.words(), ...orphans, ...boundsOf(passage)]
  const passage = await firstThatLeads(wordsOf)
  const inherited = inheritedDescriptors()
  const groups = openControlGroups(limits)
  return {
    groups,
    command() {
      // A number that was closed meanwhile may be one that the child itself opens.
      const open = inherited.filter(isInherited).map(String)
      const node = [process.execPath, ...permissionFlags(), ...heapFlags(limits), childFile, ...open]
      const [file = process.execPath, ...words] = [...wordsOf(passage), ...node]
      return { file, arguments: words }
    },
    list: [
      { name: 'network', stands: passage.network },
      { name: 'files', stands: permissionFlags().length > 0 },
      { name: 'user', stands: passage.user },
      { name: 'orphans', stands: orphans.length > 0 },
      { name: 'kernel_limits', stands: bounds.length > 0 },
      { name: 'control_group', stands: groups !== null },
      { name: 'memory_watch', stands: existsSync('/proc/self/status') },
    ],
  }
}

/** The first passage behind which, with all other walls, a child can read what it needs. */
async function firstThatLeads(wordsOf: (passage: Passage) => readonly string[]): Promise<Passage> {
  for (const passage of passages(mayChangeUser())) if (await runs(wordsOf(passage), accessTrial)) return passage
  return noPassage
}

/** These words, where they can start another program here, else none. */
async function thatRuns(words: readonly string[]): Promise<readonly string[]> {
  return (await runs(words, ['--version'])) ? words : []
}

/** @throws StartError when the trial itself could not be made: a full machine must not open a gateway without walls. */
function runs([file = '', ...words]: readonly string[], trial: readonly string[]): Promise<boolean> {
  return new Promise((resolve, reject) => {
    try {
      execFile(file, [...words, process.execPath, ...trial], { timeout: trialMsMax, env: {} }, error => {
        if (error?.killed || shortages.has(`${error?.code}`)) reject(new StartError())
        else resolve(error === null)
      })
    } catch {
      reject(new StartError())
    }
  })
}

/** The heap ends before the memory does, so that most floods end as an error of the child. */
function heapFlags({ memoryBytesMax }: JobLimits): readonly string[] {
  return [`--max-old-space-size=${Math.max(16, Math.floor((memoryBytesMax / 1_048_576) * 0.75))}`]
}
