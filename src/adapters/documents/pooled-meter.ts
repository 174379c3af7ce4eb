import { z } from 'zod'
import type { MediaMeter } from '../../core/media-meter.ts'
import { lastingTimeout } from '../../lib/lasting-timeout.ts'
import type { JobPool } from './pool/job-pool.ts'

/** A head and nothing behind it. */
const answerBytesMax = 16_384
/** A request need not wait long for a smaller hold. */
const waitMs = 10_000

const answerSchema = z.object({ kind: z.literal('seconds'), seconds: z.number().min(0).nullable() })

/** The port over the pool. */
export function createPooledMeter(pool: JobPool): MediaMeter {
  return {
    async secondsOf({ bytes, accountId }, signal) {
      const job = { head: { kind: 'seconds' }, bytes, lane: accountId, answerBytesMax } as const
      const timeout = lastingTimeout(waitMs)
      try {
        const outcome = await pool.run(job, AbortSignal.any([signal, timeout]))
        return outcome.kind === 'failure' ? null : (answerSchema.safeParse(outcome.head).data?.seconds ?? null)
      } catch (error) {
        if (signal.aborted || !timeout.aborted) throw error
        return null
      }
    },
  }
}
