import { z } from 'zod'
import { assistantSchema, speakerSchema, toolSchema } from '../decode/messages/message-schemas.ts'
import {
  audioPartSchema,
  filePartSchema,
  imagePartSchema,
  textPartSchema,
  videoPartSchema,
} from '../decode/messages/part-schemas.ts'
import { callSchema, resultSchema } from '../decode/messages/tool-blocks.ts'

/** Messages in every form that is taken (venice.md §1.1, §1.3), made of the tables that they are checked with. */

const text = typed('text', textPartSchema)
const toolUse = typed('tool_use', callSchema)
const toolResult = typed('tool_result', resultSchema.extend({ content: z.unknown().optional() }))
/** Cursor's form, and Anthropic's. */
const image = z.looseObject({ type: z.literal('image') })

const userPart = z
  .union([
    text,
    typed('image_url', imagePartSchema),
    typed('input_audio', audioPartSchema),
    typed('video_url', videoPartSchema),
    typed('file', filePartSchema),
    image,
    toolResult,
  ])
  .meta({ id: 'ApiV1UserPart' })

const texts = z.union([z.string(), z.array(text)])

export const requestMessage = z
  .union([
    speakerSchema.extend({ role: z.enum(['system', 'developer']), content: texts }),
    speakerSchema.extend({ role: z.literal('user'), content: z.union([z.string(), z.array(userPart)]) }),
    assistantSchema.extend({
      role: z.literal('assistant'),
      content: z.union([z.string(), z.array(z.union([text, toolUse]))]).nullish(),
    }),
    toolSchema.extend({ role: z.literal('tool') }),
  ])
  .meta({ id: 'ApiV1RequestMessage' })

function typed<Name extends string>(type: Name, schema: z.ZodObject) {
  return schema.extend({ type: z.literal(type) })
}
