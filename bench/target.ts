import type { Pinning } from './child-process.ts'
import type { LoadTarget } from './load-connection.ts'

export type TargetName = 'direct' | 'nginx' | 'rialto'

/** A path to the engine, started and ready. */
export interface Target {
  name: TargetName
  load: LoadTarget
  /** The model name to ask for, which is also the one that answers must carry. */
  model: string
  /** True where every answer is billed. */
  isBilled: boolean
  /** Root of the process tree that is measured; null where there is no process in between. */
  pid: number | null
  /** From the start of the process until it was ready, milliseconds. */
  readyMs: number | null
  /** Program and version, for the report. */
  version: string
  /** Whole answers that the bench has got from it so far. */
  completed: number
  /** Ends the process. @returns what its books say afterwards; empty where there are none */
  stop(): Promise<Finding[]>
}

/** A line for the end of the report; a fault makes the run fail. */
export interface Finding {
  isFault: boolean
  text: string
}

/** What a target needs to start. */
export interface TargetContext {
  enginePort: number
  pinning: Pinning
  /** An empty folder of its own for each target, removed by the caller. */
  folder: string
}

/** A target that this machine cannot run: the report shows the reason in its row. */
export class TargetUnavailableError extends Error {}

export const completionPath = '/v1/chat/completions'
