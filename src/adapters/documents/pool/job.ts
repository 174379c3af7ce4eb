import type { JsonObject } from '../../../lib/json.ts'

/** One piece of work for a child: what to do, as the head says, with these bytes. */
export interface Job {
  readonly head: JobHead
  readonly bytes: Uint8Array
  /** Whose turn it is. */
  readonly lane: string
  /** The most bytes that a whole answer may have. */
  readonly answerBytesMax: number
}

type JobHead =
  | { readonly kind: 'document'; readonly name: string | null; readonly mediaType: string | null }
  | { readonly kind: 'page'; readonly charset: string | null }
  | { readonly kind: 'image'; readonly to: 'png' | 'jpeg' | null }
  | { readonly kind: 'seconds' }

/** What became of a job. The answer is a child's word: whoever reads it believes nothing of it. */
export type JobOutcome =
  | { readonly kind: 'answer'; readonly head: JsonObject; readonly body: Buffer }
  | { readonly kind: 'failure'; readonly reason: JobFailureReason }

/** `memory`: cut at its memory. `output`: it said more than an answer may have. `crash`: it ended without an answer. */
export type JobFailureReason = 'busy' | 'disabled' | 'timeout' | 'memory' | 'output' | 'crash'

/** What one job may take. All above 0. */
export interface JobLimits {
  readonly memoryBytesMax: number
  readonly cpuMsMax: number
  readonly wallMsMax: number
}
