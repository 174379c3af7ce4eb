import { z } from 'zod'

/** The body of `POST /v1/chat/completions` (venym.md §2): what the gateway reads. Everything else reaches the engine. */

const positive = z.int().min(1).nullish()

const message = z.looseObject({
  role: z.string().min(1),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
})

export const completionRequest = z
  .looseObject({
    model: z.string().min(1).describe('An id of `GET /v1/models`, with or without the suffix `:online`.'),
    messages: z.array(message).min(1),
    max_tokens: positive.describe(
      'The longest answer. Lowered to the model’s `max_output_tokens`, which is the default.',
    ),
    max_completion_tokens: positive.describe('Another name of `max_tokens`; wins where both are given.'),
    n: positive.describe('Choices, each of which is paid. At most what the model allows.'),
    best_of: positive,
    stream: z.boolean().nullish(),
    stream_options: z.unknown().optional().describe('Has no effect: a stream always ends with its usage.'),
    prompt_cache_key: z.string().nullish(),
    venym: z
      .strictObject({
        web_search: z.boolean().nullish().describe('The same as the suffix `:online`.'),
        search_results: z.int().min(1).nullish().describe('Default 6; above 10 means 10.'),
      })
      .nullish(),
  })
  .meta({ id: 'V1ChatCompletionRequest' })
