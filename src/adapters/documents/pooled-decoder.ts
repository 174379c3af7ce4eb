import { z } from 'zod'
import type { DecodedImage, ImageDecoder, ImageFailure, ImageFailureReason } from '../../core/image-decoder.ts'
import type { JobFailureReason, JobOutcome } from './pool/job.ts'
import type { JobPool } from './pool/job-pool.ts'

/** A converted picture is sent on like one that a caller sent: at most 25 MB, and the head before it. */
const answerBytesMax = 25_000_000 + 16_384
const sideMax = 1_000_000

const side = z.int().min(1).max(sideMax)
const answerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    width: side,
    height: side,
    mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/heic', 'image/gif']),
    converted: z.enum(['image/png', 'image/jpeg']).nullable(),
  }),
  z.object({ kind: z.literal('failure'), reason: z.enum(['too_many_pixels', 'unreadable', 'unsupported']) }),
])

const reasonOf: Readonly<Record<JobFailureReason, ImageFailureReason>> = {
  busy: 'busy',
  disabled: 'disabled',
  timeout: 'timeout',
  memory: 'too_large',
  output: 'too_large',
  crash: 'unreadable',
}

/** The port over the pool. */
export function createPooledDecoder(pool: JobPool): ImageDecoder {
  return {
    async decode({ bytes, accountId }, signal, { to } = {}) {
      const head = { kind: 'image', to: to ?? null } as const
      return imageOf(await pool.run({ head, bytes, lane: accountId, answerBytesMax }, signal))
    },
  }
}

function imageOf(outcome: JobOutcome): DecodedImage | ImageFailure {
  if (outcome.kind === 'failure') return { kind: 'failure', reason: reasonOf[outcome.reason] }
  const { success, data } = answerSchema.safeParse(outcome.head)
  if (!success) return { kind: 'failure', reason: 'unreadable' }
  if (data.kind === 'failure') return data
  const { converted } = data
  return { ...data, converted: converted === null ? null : { mediaType: converted, bytes: outcome.body } }
}
