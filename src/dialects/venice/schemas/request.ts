import { z } from 'zod'
import { chatSchema } from '../decode/chat-schema.ts'
import { flatSchema, nestedSchema } from '../decode/tools/decode-tools.ts'
import { veniceParametersSchema } from '../decode/venice-parameters.ts'
import { requestMessage } from './request-messages.ts'

/** The body of `POST /api/v1/chat/completions`: the table that it is checked with, and what is read apart (venice.md §1). */

const messages = z.array(requestMessage).min(1)

const tool = z
  .union([z.looseObject({ type: z.enum(['web_search', 'x_search']) }), nestedSchema, flatSchema])
  .meta({ id: 'ApiV1RequestTool' })

const toolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.looseObject({ type: z.enum(['auto', 'none', 'required', 'any']) }),
  z.looseObject({ type: z.string(), function: z.looseObject({ name: z.string().min(1) }) }),
  z.looseObject({ type: z.enum(['function', 'tool']), name: z.string().min(1) }),
])

const meanings: Partial<Record<keyof typeof chatSchema.shape, string>> = {
  model: 'A model’s id, a trait, or another seller’s name; settings may follow it as `id:key=value&key=value`.',
  min_temp: 'The lower end of a dynamic temperature.',
  max_temp: 'The upper end of a dynamic temperature.',
  max_completion_tokens: 'The longest answer, reasoning included. Above the model’s own limit it may be an error.',
  max_tokens: 'The older name: ignored beside the newer one.',
  n: 'Choices, each of which is paid.',
  stream_options: 'Has no effect: a stream always ends with its usage.',
  response_format: 'A JSON Schema stands in `json_schema.schema`, or bare in `json_schema`.',
  reasoning_effort: 'Wins over `reasoning.effort`.',
  prompt_cache_key: 'Requests that share it meet the same engine. Left out: a key of your account.',
  prompt_cache_retention: 'Where the model offers it, `extended` and `24h` keep a prompt for a day.',
  anon_user_id: 'Your name for your end user: 1 to 128 printable ASCII characters without `||`.',
  fallbacks: 'Handed on where the engine takes it.',
}

const described = Object.fromEntries(
  Object.entries(chatSchema.shape).map(([name, schema]) => {
    const meaning = meanings[name as keyof typeof meanings]
    return [name, meaning === undefined ? schema : schema.describe(meaning)]
  }),
)

const aliases = {
  input: messages.nullish().describe('Another name of `messages`.'),
  max_output_tokens: z.number().nullish().describe('Another name of `max_tokens`.'),
  promptCacheKey: z.string().nullish().describe('Another name of `prompt_cache_key`.'),
  web_search: z.unknown().optional().describe('`true` or `false`: `venice_parameters.enable_web_search` on or off.'),
}

const settings = veniceParametersSchema.extend({
  enable_web_search: z.union([z.enum(['off', 'on', 'auto']), z.boolean()]).nullish(),
})

const ignored = z.unknown().optional().describe('Taken, and has no effect.')

export const completionRequest = z
  .strictObject({
    ...described,
    max_tokens: z
      .number()
      .nullish()
      .describe('The older name of `max_completion_tokens`: ignored beside it, and at 0 or less.'),
    messages: messages.nullish(),
    tools: z.array(tool).nullish(),
    tool_choice: toolChoice.nullish(),
    venice_parameters: settings.nullish().describe('Keys that are not known are ignored.'),
    ...aliases,
    ...{ user: ignored, store: ignored, include: ignored, metadata: ignored },
  })
  .meta({ id: 'ApiV1ChatCompletionRequest', anyOf: [{ required: ['messages'] }, { required: ['input'] }] })
