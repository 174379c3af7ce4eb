import { z } from 'zod'
import { list, text } from '../fields.ts'

/** The members beside the content, by role (venice.md §1.3). What else stands in a message is left out. */

const detailsMax = 1_000

const reasoningDetail = z.object({
  type: z.string(),
  text: text(),
  data: text(),
  format: text(),
  id: text(),
  index: z.number().nullish(),
})

export const speakerSchema = z.object({ name: text() })

export const assistantSchema = z.object({
  name: text(),
  reasoning_content: text(),
  reasoning_details: list(reasoningDetail, [0, detailsMax]).nullish(),
  thought_signature: text(),
  tool_calls: z.array(z.unknown()).nullish(),
})

export const toolSchema = z.object({
  content: z.string(),
  tool_call_id: z.string(),
  name: text(),
  reasoning_content: text(),
  tool_calls: z.array(z.unknown()).nullish(),
})
