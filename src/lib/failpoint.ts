/**
 * Named places where a test may kill the process, to prove what survives (reliability.md §5.3). They are compiled in and
 * off: a place costs one comparison until it is armed. Each thread has its own arming; a worker is given its parent's.
 */
const failpoints = [
  'reserve.before_commit',
  'reserve.after_commit_before_ack',
  'lower.before_commit',
  'lower.after_commit_before_ack',
  'dispatch.before',
  'stream.first_byte',
  'stream.mid',
  'usage.seen',
  'mark.written',
  'settle.before_tx',
  'settle.in_tx',
  'settle.before_commit',
  'settle.after_commit_before_ack',
  'done.before_write',
  'done.after_write',
  'group.flush_start',
  'group.flush_end',
  'idem.before_claim',
  'idem.after_claim',
  'idem.before_complete',
  'idem.after_complete',
  'post.in_tx',
  'sweep.in_tx',
  'drain.start',
  'move.page',
  'move.before_commit',
  'move.after_commit',
  'move.source_left',
] as const

export type Failpoint = (typeof failpoints)[number]

export function isFailpoint(name: string): name is Failpoint {
  return failpoints.some(known => known === name)
}

export interface ArmedFailpoint {
  readonly name: Failpoint
  /** Which arrival there is the fatal one, counted from 1 in the thread that arrives. */
  readonly nth: number
}

let armed: ArmedFailpoint | null = null
let armedName: Failpoint | null = null
let arrivals = 0

/** Arms one place in this thread, or disarms with null. Only an explicit call from the process's start does this. */
export function armFailpoint(failpoint: ArmedFailpoint | null): void {
  armed = failpoint
  armedName = failpoint?.name ?? null
  arrivals = 0
}

/** What a worker thread is to be armed with. */
export function armedFailpoint(): ArmedFailpoint | null {
  return armed
}

/** Kills the process as `kill -9` does, without a chance to clean up, when this place is armed and its time has come. */
export function failpoint(name: Failpoint): void {
  if (name !== armedName) return
  arrivals += 1
  if (arrivals === armed?.nth) process.kill(process.pid, 'SIGKILL')
}
