import { z } from 'zod'
import { createdAt } from '../../openai/schemas/completion.ts'

/** What `encode-models.ts` writes (venym.md §1). */

const usdPerToken = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .describe('USD per token, as a decimal.')

export const model = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    created: createdAt,
    owned_by: z.string(),
    name: z.string(),
    description: z.string(),
    context_length: z.int().min(1),
    max_output_tokens: z.int().min(1),
    capabilities: z.array(
      z.enum([
        ...(['json', 'json_schema', 'tools', 'vision', 'audio', 'video'] as const),
        ...(['reasoning', 'logprobs', 'web_search', 'e2ee'] as const),
      ]),
    ),
    pricing: z.object({
      prompt: usdPerToken,
      completion: usdPerToken,
      input_cache_read: usdPerToken,
      input_cache_write: usdPerToken,
      web_search: usdPerToken.describe('USD per search, as a decimal.'),
      web_page: usdPerToken.describe('USD per page that was read, as a decimal.'),
    }),
    free: z.boolean(),
  })
  .meta({ id: 'V1Model' })

export const modelList = z.object({ object: z.literal('list'), data: z.array(model) }).meta({ id: 'V1ModelList' })
