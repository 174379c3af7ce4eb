import { z } from 'zod'
import {
  type DocumentFailureReason,
  type DocumentReader,
  type DocumentReading,
  documentFailure,
} from '../../core/document-reader.ts'
import type { JobFailureReason, JobOutcome } from './pool/job.ts'
import type { JobPool } from './pool/job-pool.ts'

/** 2 MiB of text, and the head before it. */
const answerBytesMax = 2_097_152 + 16_384
const pagesMax = 1_000_000

const mediaType = z.string().regex(/^[a-z]{1,20}\/[a-z0-9.+-]{1,100}$/)
const answerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    mediaType,
    pages: z.int().min(0).max(pagesMax).nullable(),
    truncated: z.boolean(),
  }),
  z.object({ kind: z.literal('image'), mediaType }),
  z.object({
    kind: z.literal('failure'),
    reason: z.enum(['encrypted', 'no_text', 'too_large', 'unreadable', 'unsupported']),
  }),
])

const reasonOf: Readonly<Record<JobFailureReason, DocumentFailureReason>> = {
  busy: 'busy',
  disabled: 'disabled',
  timeout: 'timeout',
  memory: 'too_large',
  output: 'too_large',
  crash: 'broken_off',
}

/** The port over the pool. What a child answers is parsed like anything else that comes from outside. */
export function createPooledReader(pool: JobPool): DocumentReader {
  return {
    async read({ bytes, name, mediaType, accountId }, signal) {
      const head = { kind: 'document', name, mediaType } as const
      return readingOf(await pool.run({ head, bytes, lane: accountId, answerBytesMax }, signal))
    },
  }
}

function readingOf(outcome: JobOutcome): DocumentReading {
  if (outcome.kind === 'failure') return documentFailure(reasonOf[outcome.reason])
  const { success, data } = answerSchema.safeParse(outcome.head)
  if (!success) return documentFailure('unreadable')
  if (data.kind === 'failure') return documentFailure(data.reason)
  return data.kind === 'image' ? data : { ...data, text: outcome.body.toString('utf8') }
}
