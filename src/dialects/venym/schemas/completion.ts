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
import { openAiError } from '../../openai/schemas/error.ts'
import { searchError } from '../../openai/schemas/search-error.ts'

/** Answers of `POST /v1/chat/completions` (venym.md §3). Whatever an engine sends is kept, so that every object is open. */

const usd = z.number().min(0).describe('USD, exact to the billionth.')

const usage = z
  .looseObject({
    ...usageCounts,
    cost: usd.optional().describe('USD; left out where the charge was not confirmed in time.'),
    cost_details: z
      .object({ upstream_inference_cost: z.null(), prompt_cost: usd, completion_cost: usd, web_search_cost: usd })
      .optional(),
  })
  .meta({ id: 'V1Usage' })

const extras = z.object({
  sources: z
    .array(z.object({ title: z.string(), url: z.string() }))
    .optional()
    .describe('In the order of the marks `[n]`; the first is 1.'),
  search_error: searchError.optional(),
})

const common = {
  id: completionId,
  model: z.string().describe('The id that was asked for, without its suffix.'),
  usage_estimated: z.literal(true).optional().describe('The engine reported no usable figures.'),
  venym: extras.optional().describe('Only when the web was searched.'),
}

const message = z.looseObject({
  role: z.string().optional(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(toolCall).nullish(),
})

export const completion = z
  .looseObject({
    ...common,
    object: z.literal('chat.completion').optional(),
    created: createdAt.optional(),
    choices: z.array(
      z.looseObject({
        index: count.optional(),
        message,
        logprobs: logprobs.optional(),
        finish_reason: z.string().nullish(),
      }),
    ),
    usage,
  })
  .meta({ id: 'V1ChatCompletion' })

const delta = z.looseObject({
  role: z.string().nullish(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(toolCallDelta).nullish(),
})

const chunk = z
  .looseObject({
    ...common,
    object: z.literal('chat.completion.chunk').optional(),
    created: createdAt.optional(),
    choices: z.array(
      z.looseObject({
        index: count.optional(),
        delta: delta.nullish(),
        logprobs: logprobs.optional(),
        finish_reason: z.string().nullish(),
      }),
    ),
    usage: usage.nullish().describe('In the last chunk before `[DONE]`, whose `choices` are empty.'),
  })
  .meta({ id: 'V1ChatCompletionChunk' })

/** The data of each event but the last one, which is the text `[DONE]`. */
export const completionEvent = z.union([chunk, openAiError])
