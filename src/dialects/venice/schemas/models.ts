import { z } from 'zod'
import { createdAt } from '../../openai/schemas/completion.ts'
import { modelTypes } from '../decode/model-type.ts'

/** What `encode-models.ts` writes (venice.md §8). */

const price = z.object({ usd: z.number().min(0), diem: z.number().min(0) }).describe('Per million tokens.')
const type = z.enum(modelTypes)

const capabilities = z.object({
  optimizedForCode: z.boolean(),
  quantization: z.enum(['fp4', 'fp8', 'fp16', 'bf16', 'int8', 'int4', 'not-available']),
  supportsAudioInput: z.boolean(),
  supportsE2EE: z.boolean(),
  supportsFunctionCalling: z.boolean(),
  supportsLogProbs: z.boolean(),
  supportsMultipleImages: z.boolean(),
  supportsReasoning: z.boolean(),
  supportsReasoningEffort: z.boolean(),
  supportsResponseSchema: z.boolean(),
  supportsTeeAttestation: z.boolean(),
  supportsVideoInput: z.boolean(),
  supportsVision: z.boolean(),
  supportsWebSearch: z.boolean(),
  supportsXSearch: z.boolean(),
  maxImages: z.int().min(0).optional(),
  maxVideos: z.int().min(0).optional(),
  reasoningEffortOptions: z.array(z.string()).optional(),
  defaultReasoningEffort: z.string().optional(),
})

const deprecation = z.object({
  autoRemap: z.boolean(),
  date: z.string(),
  removesAt: z.string(),
  startsAt: z.string().optional(),
  replacementModelId: z.string().optional(),
})

const spec = z.object({
  name: z.string(),
  description: z.string(),
  privacy: z.enum(['private', 'anonymized']),
  offline: z.boolean(),
  availableContextTokens: z.int().min(1),
  maxCompletionTokens: z.int().min(1),
  traits: z.array(z.string()),
  model_sets: z.array(z.string()),
  capabilities,
  constraints: z.record(z.string(), z.object({ default: z.number() })),
  pricing: z.object({
    input: price,
    output: price,
    cache_input: price,
    cache_write: price,
    web_search: price.optional(),
    web_scraping: price.optional(),
    x_search: price.optional(),
    extended: z.object({ context_token_threshold: z.int(), input: price, output: price }).optional(),
  }),
  beta: z.boolean().optional(),
  regionRestrictions: z.array(z.string()).optional(),
  deprecation: deprecation.optional(),
})

export const model = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    owned_by: z.string(),
    type: z.string(),
    created: createdAt,
    context_length: z.int().min(1),
    model_spec: spec,
  })
  .meta({ id: 'ApiV1Model' })

export const modelList = z
  .object({ object: z.literal('list'), type, data: z.array(model) })
  .meta({ id: 'ApiV1ModelList' })

/** Names and the models that they stand for. */
export const modelMapping = z
  .object({ object: z.literal('list'), type, data: z.record(z.string(), z.string()) })
  .meta({ id: 'ApiV1ModelMapping' })

export const modelsQuery = z.object({ type: type.optional().describe('Left out: `text`.') })
