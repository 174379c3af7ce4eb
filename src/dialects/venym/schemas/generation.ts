import { z } from 'zod'
import { completionId, count } from '../../openai/schemas/completion.ts'

/** What `encode-generation.ts` writes (venym.md §7). Amounts are USD, times milliseconds. */

const usd = z.number()

const attempt = z.object({
  node: z.string(),
  status: z.union([z.int(), z.string()]).describe('The status of the engine, or the fault in one word.'),
  ms: count,
})

export const generation = z
  .object({
    data: z.object({
      id: completionId,
      model: z.string(),
      created_at: z.iso.datetime(),
      streamed: z.boolean(),
      outcome: z.string(),
      finish_reason: z.string().nullable(),
      provider_name: z.string().nullable().describe('The node that answered; for operators only.'),
      tokens_prompt: count,
      tokens_completion: count,
      native_tokens_reasoning: count,
      native_tokens_cached: count,
      usage_source: z.string(),
      latency: z.number().min(0).nullable().describe('Until the first token.'),
      generation_time: z.number().min(0),
      attempts: z.array(attempt),
      price_version: z.string(),
      total_cost: usd,
      cost_details: z.object({
        upstream_inference_cost: z.null(),
        prompt_cost: usd,
        completion_cost: usd,
        web_search_cost: usd,
      }),
      hold: usd.nullable().describe('What was set aside.'),
      settled: usd.nullable(),
      hold_state: z.string().optional(),
      balance_before: usd.optional(),
      balance_after: usd.nullish(),
    }),
  })
  .meta({ id: 'V1Generation' })
