import { z } from 'zod'
import { anonUserId } from './anon-user-id.ts'
import { anyObject, flag, list, number, oneOf, text, whole } from './fields.ts'
import { veniceParametersSchema } from './venice-parameters.ts'

/** Longer than any name with every suffix; a name is looked up once for each colon in it. */
export const modelCharactersMax = 1_024

const temperatureMax = 2
const penaltyMax = 2
const topLogprobsMax = 20
const stopsMax = 4
const stopTokensMax = 1_000
const fallbacksMax = 10

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
const summaries = ['auto', 'concise', 'detailed'] as const
const verbosities = ['low', 'medium', 'high', 'auto'] as const
const retentions = ['default', 'extended', '24h'] as const

/** Each form is strict of its own. A JSON Schema stands there bare or under `schema`, with its name (venice.md §1.5). */
const responseFormatSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({ type: z.literal('json_schema'), json_schema: anyObject() }),
])

/**
 * The top level of a chat request after the rewrites: strict, with every bound of venice.md §1.2 and §19. Messages, tools
 * and the choice among them come in several forms and are read apart.
 */
export const chatSchema = z.strictObject({
  model: z.string().max(modelCharactersMax),
  messages: z.unknown().optional(),
  temperature: number(0, temperatureMax),
  top_p: number(0, 1),
  top_k: whole(0),
  min_p: number(0, 1),
  min_temp: number(0, temperatureMax),
  max_temp: number(0, temperatureMax),
  repetition_penalty: z.number().min(0).nullish(),
  frequency_penalty: number(-penaltyMax, penaltyMax),
  presence_penalty: number(-penaltyMax, penaltyMax),
  max_completion_tokens: whole(1),
  max_tokens: whole(1),
  n: whole(1),
  seed: z.int().positive().max(Number.MAX_SAFE_INTEGER).nullish(),
  stop: z.union([z.string(), list(z.string(), [1, stopsMax])]).nullish(),
  stop_token_ids: list(z.number(), [0, stopTokensMax]).nullish(),
  stream: flag(),
  stream_options: z.object({ include_usage: flag() }).nullish(),
  logprobs: flag(),
  top_logprobs: whole(0, topLogprobsMax),
  response_format: responseFormatSchema.nullish(),
  tools: z.unknown().optional(),
  tool_choice: z.unknown().optional(),
  parallel_tool_calls: flag(),
  reasoning_effort: oneOf(efforts),
  reasoning: z.object({ effort: oneOf(efforts), summary: oneOf(summaries), enabled: flag() }).nullish(),
  verbosity: oneOf(verbosities),
  text: z.object({ verbosity: oneOf(verbosities) }).nullish(),
  prompt_cache_key: text(),
  prompt_cache_retention: oneOf(retentions),
  anon_user_id: anonUserId().nullish(),
  fallbacks: list(z.object({ model: z.string() }), [0, fallbacksMax]).nullish(),
  venice_parameters: veniceParametersSchema.nullish(),
})

export type ChatFields = z.output<typeof chatSchema>
