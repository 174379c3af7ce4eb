import { z } from 'zod'

/** Parts of answers that both surfaces have in OpenAI's shape; engines put more of their own into them. */

export const count = z.int().min(0)

export const completionId = z.string().regex(/^chatcmpl-[0-9a-f]{32}$/)

/** Seconds since 1970. */
export const createdAt = z.int().min(0).describe('Unix time in seconds.')

export const toolCall = z
  .looseObject({
    id: z.string(),
    type: z.literal('function'),
    function: z.looseObject({ name: z.string(), arguments: z.string().describe('JSON text, as the model wrote it.') }),
  })
  .meta({ id: 'ToolCall' })

/** A piece of a call in a stream: the first of an index has its id and its name. */
export const toolCallDelta = z
  .looseObject({
    index: count,
    id: z.string().nullish(),
    type: z.literal('function').nullish(),
    function: z.looseObject({ name: z.string().nullish(), arguments: z.string().nullish() }).optional(),
  })
  .meta({ id: 'ToolCallDelta' })

export const logprobs = z.looseObject({ content: z.array(z.looseObject({})).nullish() }).nullable()

/** OpenAI's counts and those of engines; each surface adds what it promises beyond. */
export const usageCounts = {
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
}
