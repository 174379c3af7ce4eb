import { z } from 'zod'
import type { PageConverter } from '../../core/page-converter.ts'
import type { JobPool } from './pool/job-pool.ts'

/** 2 MiB of text, and the head before it. */
const answerBytesMax = 2_097_152 + 16_384
const text = z.string().max(300)
const answerSchema = z.object({
  kind: z.literal('page'),
  title: text,
  date: text.nullable(),
  language: text.nullable(),
})

/** What a child answers is parsed like anything else that comes from outside. */
export function createPooledPages(pool: JobPool): PageConverter {
  return {
    async convert({ bytes, charset, accountId }, signal) {
      const head = { kind: 'page', charset } as const
      const outcome = await pool.run({ head, bytes, lane: accountId, answerBytesMax }, signal)
      if (outcome.kind === 'failure') return null
      const { success, data } = answerSchema.safeParse(outcome.head)
      return success ? { ...data, text: outcome.body.toString('utf8') } : null
    },
  }
}
