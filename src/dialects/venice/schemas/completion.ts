import { z } from 'zod'
import {
  completionId,
  count,
  createdAt,
  logprobs,
  toolCall,
  toolCallDelta,
  usageCounts,
} from '../../openai/schemas/completion.ts'
import { settings } from './settings.ts'

/** Answers of `POST /api/v1/chat/completions` (venice.md §2). */

const cost = z
  .object({ usd: z.number().min(0), diem: z.number().min(0) })
  .describe('What was charged, by the currency that paid. Left out where it is not known in time.')

const usage = z
  .looseObject({
    ...usageCounts,
    prompt_tokens_details: z
      .looseObject({
        cached_tokens: count,
        cache_creation_input_tokens: count,
        injected_tokens: count.optional().describe('About how many tokens the gateway put before the messages.'),
      })
      .nullish(),
    completion_tokens_details: z.looseObject({ reasoning_tokens: count }).nullish(),
  })
  .meta({ id: 'ApiV1Usage' })

const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter'])

/** What some engines put beside the answer; null where it says nothing. */
const besides = {
  name: z.string().nullish(),
  refusal: z.string().nullish(),
  annotations: z.array(z.unknown()).nullish(),
  audio: z.unknown().optional(),
  function_call: z.unknown().optional(),
  reasoning_encrypted: z.boolean().nullish(),
  reasoning_details: z.array(z.looseObject({})).nullish().describe('To be sent back as it is in the next turn.'),
  thought_signature: z.string().nullish().describe('To be sent back as it is in the next turn.'),
}

const message = z
  .object({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
    ...besides,
  })
  .meta({ id: 'ApiV1AssistantMessage' })

const choiceParts = {
  index: count,
  logprobs: logprobs.optional(),
  stop_reason: z.union([z.string(), z.int()]).nullish(),
  token_ids: z.array(z.int()).nullish(),
}

const common = {
  id: completionId,
  created: createdAt,
  model: z.string().describe('The id of the model that answered.'),
  service_tier: z.string().nullish(),
  cost: cost.optional(),
}

export const completion = z
  .object({
    ...common,
    object: z.literal('chat.completion'),
    choices: z.array(z.object({ ...choiceParts, message, finish_reason: finishReason })),
    usage,
    prompt_logprobs: z.array(z.unknown()).nullish(),
    venice_parameters: settings,
  })
  .meta({ id: 'ApiV1ChatCompletion' })

const delta = z.object({
  role: z.literal('assistant').nullish(),
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(toolCallDelta).nullish(),
  ...besides,
})

const chunk = z
  .object({
    ...common,
    object: z.literal('chat.completion.chunk'),
    choices: z.array(z.object({ ...choiceParts, delta, finish_reason: finishReason.nullish() })),
    usage: usage.nullish().describe('In a chunk of its own before `[DONE]`, whatever `stream_options` says.'),
    venice_parameters: settings.partial().optional(),
  })
  .meta({ id: 'ApiV1ChatCompletionChunk' })

/** What ends a stream that failed after it had begun; the status stays 200 (venice.md §2.2). */
const failureEvent = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      code: z.string(),
      param: z.string().nullable(),
      retry_after: z.number().optional().describe('Seconds.'),
    }),
  })
  .meta({ id: 'ApiV1StreamError' })

/** The data of each event but the last one, which is the text `[DONE]`. */
export const completionEvent = z.union([chunk, failureEvent])
